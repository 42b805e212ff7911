import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { suite } from 'uvu';
import { settingsSchema } from '../../../src/settings/schema/schema.js';
import { type ApiClients, type ApiRequest, openApiClients } from '../../helpers/api-clients.js';

const test = suite('attack: malicious documents');

let clients: ApiClients;

test.before(async () => {
  clients = await openApiClients();
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

const json = (text: string): ApiRequest => ({
  body: Buffer.from(text),
  headers: { 'content-type': 'application/json' },
});

interface MemberSchema {
  type?: unknown;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
}

/** The settings, except those that would change the broker, the serial line or the pins. */
const MEMBERS = Object.entries(settingsSchema.properties)
  .filter(([section]) => !['mqtt', 'serial', 'gpio'].includes(section))
  .flatMap(([section, schema]) =>
    Object.entries<MemberSchema>('properties' in schema ? schema.properties : {}).map(([name, member]) => ({
      section,
      name,
      member,
    })),
  );
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(null, -1, 0, 1e308, 2 ** 53, '{{7*7}}', '***', '../..', '\u0000', '\ud800', [], {}, [[[]]]),
);

function plausible({ type, enum: values, minimum = 0, maximum = 1000 }: MemberSchema): fc.Arbitrary<unknown> {
  if (values) return fc.constantFrom(...values);
  if (type === 'boolean') return fc.boolean();
  return type === 'integer' ? fc.integer({ min: minimum, max: maximum }) : fc.string({ maxLength: 20 });
}

const change = fc
  .constantFrom(...MEMBERS)
  .chain(({ section, name, member }) =>
    fc.oneof(plausible(member), odd).map((value) => ({ section, name, value })),
  );
const patch = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const { section, name, value } of changes) sections[section] = { ...sections[section], [name]: value };
  return sections;
});

async function fileOf({ gateway }: ApiClients): Promise<unknown> {
  return JSON.parse(await readFile(join(gateway.dir, 'data', 'variables.json'), 'utf8'));
}

test('every saved settings document loads after the gateway is killed, and rejected documents change nothing', async () => {
  let saved = 0;
  await fc.assert(
    fc.asyncProperty(patch, fc.boolean(), async (document, isWhole) => {
      const before = await fileOf(clients);
      const body = JSON.stringify(isWhole ? { ...(before as object), ...document } : document);
      const { status, text } = await clients.operator('POST', '/updateJson', json(body));
      // Only administrators can change these settings.
      const isForbidden = status === 403 && ('alarms' in document || 'site' in document);
      assert.ok(isForbidden || [200, 400, 409, 413].includes(status), `${status}: ${text}`);
      if (status === 200) saved += 1;
      else assert.deepEqual(await fileOf(clients), before, 'a rejected document changes nothing');
      await fileOf(clients);
    }),
    { numRuns: 150, seed: 3 },
  );
  assert.ok(saved > 5, 'some documents are valid');
  // Restores the level `info`, because the test waits for a log line of that level when the gateway starts.
  await clients.operator('POST', '/updateJson', json('{"logging":{"level":"info"}}'));
  const { json: now } = await clients.operator('GET', '/variables.json');
  await clients.gateway.kill('SIGKILL');
  await clients.gateway.spawn({ CARTWRIGHT_AUTH: 'required', PORT: new URL(clients.gateway.url).port });
  const { json: then, status } = await clients.operator('GET', '/variables.json');
  assert.equal(status, 200);
  assert.deepEqual(then, now);
  assert.deepEqual(
    clients.gateway.log.filter(({ event }) => event === 'settings.fault_found'),
    [],
  );
});

test('importing settings changes nothing until the import is confirmed', async () => {
  const before = await fileOf(clients);
  const texts = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    patch.map((document) => JSON.stringify(document)),
    fc.constantFrom('[', '{"a":'.repeat(5000), `"${'x'.repeat(300_000)}"`, '{"__proto__":{}}', '1e999'),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (document) => {
      const body = new URLSearchParams({ document }).toString();
      const { status } = await clients.operator('POST', '/brokerSettings/import', { body });
      assert.ok([200, 400].includes(status), String(status));
    }),
    { numRuns: 100, seed: 4 },
  );
  assert.deepEqual(await fileOf(clients), before);
});

const MB = 1024 * 1024;
const csv = (text: string): ApiRequest => ({
  body: Buffer.from(text),
  headers: { 'content-type': 'text/csv' },
});
const packed = (encoding: string, body: Buffer): ApiRequest => ({
  body,
  headers: { 'content-type': 'application/json', 'content-encoding': encoding },
});
const ZEROS = Buffer.alloc(64 * MB, '0');

const BOMBS: Record<string, [request: ApiRequest, status: number]> = {
  'a million nested arrays': [json('['.repeat(MB) + ']'.repeat(MB)), 400],
  'unterminated nested arrays': [json('['.repeat(2 * MB)), 400],
  'more than 2 MB': [json(`["${'x'.repeat(2 * MB)}"]`), 413],
  'too many beacons': [
    json(JSON.stringify(Array.from({ length: 10_001 }, (_, at) => ({ id: `b-${at}-x` })))),
    413,
  ],
  'out-of-range numbers': [json(`[{"id":"beacon-1","lat":1e999,"long":${'9'.repeat(5000)}}]`), 400],
  'a million empty objects': [json(`[${'{},'.repeat(600_000)}{}]`), 413],
  '100,000 duplicate keys': [json(`[{${'"id":"beacon-1",'.repeat(100_000)}"id":"x"}]`), 400],
  '64 MB in 64 kB of gzip': [packed('gzip', gzipSync(ZEROS)), 413],
  '64 MB in 64 kB of deflate': [packed('deflate', deflateSync(ZEROS)), 413],
  '16 MB in a few bytes of brotli': [packed('br', brotliCompressSync(ZEROS.subarray(0, 16 * MB))), 413],
  'gzip inside gzip': [packed('gzip, gzip', gzipSync(gzipSync(ZEROS))), 415],
  'a line of 2 MB': [csv(`id\n${'x'.repeat(2 * MB - 10)}`), 400],
  'an unterminated quote': [csv(`id,description\nbeacon-1,"${'x'.repeat(2 * MB - 100)}`), 400],
  'two million columns': [csv(','.repeat(2 * MB - 1)), 400],
  'two million lines': [csv(`id\n${'a\n'.repeat(MB - 10)}`), 413],
  'only quotes': [csv('"'.repeat(2 * MB - 1)), 400],
};

for (const [name, [request, status]] of Object.entries(BOMBS)) {
  test(`an import of ${name} returns ${status}`, async () => {
    const response = await clients.operator('POST', '/beacons/import', request);
    assert.equal(response.status, status, response.text.slice(0, 300));
    assert.ok(response.text.length < 500_000, 'the response is short');
  });
}

/** A page that evaluates this string shows 49; a page that does not escape it contains the markup. */
const CODE = `{{7*7}}{{{gateway}}}{{#carts}}a{{/carts}}<b id=x>"'</b>`;
const SHORT = '{{7*7}}<b id=x>"';
const PAGES = [
  '/',
  '/fleet',
  '/map',
  '/map?edit=%7B%7B7*7%7D%7D%3Cb',
  '/shop',
  '/shop/admin',
  '/users',
  '/account',
];
const MORE = [
  '/system',
  '/brokerSettings',
  '/brokerSettings/history',
  '/cameraSettings',
  '/commissioning',
  '/login',
  '/simulator',
];

async function nameEverything(): Promise<number> {
  const password = 'correct horse battery';
  const named = await Promise.all([
    clients.admin('POST', '/updateJson', { body: { gateway: { name: SHORT } } }),
    clients.admin('POST', '/updateJson', { body: { carts: [{ cartID: 9, name: SHORT }] } }),
    clients.admin('POST', '/users', { body: { username: SHORT, password, role: 'operator' } }),
    clients.admin('POST', '/keys', { body: { name: SHORT, scopes: ['orders:read'] } }),
    clients.admin('POST', '/games', { body: { title: CODE, price: 1 } }),
    clients.admin('POST', '/beacon', {
      body: { id: '{{7*7}}<b id=x>', description: CODE, longDescription: CODE },
    }),
    clients.admin('POST', '/commissioning', { body: { step: 'wheels', outcome: 'passed', note: CODE } }),
    clients.admin('POST', '/backups', {}),
  ]);
  return named.filter(({ status }) => status < 300).length;
}

for (const language of ['en', 'nl']) {
  test(`pages escape names that contain template syntax and markup (${language})`, async () => {
    if (language === 'en') assert.ok((await nameEverything()) >= 6);
    let shown = 0;
    const nowhere = `/{{7*7}}<b id=x>`.replaceAll(/[{}<> "]/g, encodeURIComponent);
    const addresses = [
      ...PAGES,
      ...MORE,
      nowhere,
      `/?cart=${encodeURIComponent(SHORT)}`,
      `/login?next=${encodeURIComponent(CODE)}`,
    ];
    for (const path of addresses) {
      const headers = { accept: 'text/html', 'accept-language': language };
      const { status, text } = await clients.admin('GET', path, { headers });
      assert.ok(status < 500, path);
      assert.doesNotMatch(text, /<b id=x>|\b49<b|49&lt;b|javascript:/, path);
      if (text.includes('{{7*7}}&lt;b')) shown += 1;
    }
    assert.ok(shown >= 4, `shown on ${shown} pages`);
  });
}

test.run();

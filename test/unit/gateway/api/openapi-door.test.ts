import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { MAX_PLAN_BYTES } from '../../../../src/beacons/floor-plan/image.js';
import { APIS } from '../../../../src/gateway/api/apis.js';
import { type PolicyEntry, policyOf } from '../../../../src/web/guard/policy.js';
import {
  type ApiClient,
  type ApiClients,
  type ApiRequest,
  openApiClients,
} from '../../../helpers/api-clients.js';
import { OpenApiValidator } from '../../../helpers/openapi-validator.js';

/**
 * Every route of a real gateway is asked what every route can be asked: by whom it does not know, under another name, with
 * what cannot be read. The document must have each of these answers, and the gateway must give them.
 */
const test = suite('what every route answers');

const validator = new OpenApiValidator();
const entries = policyOf(APIS);
let clients: ApiClients;

test.before(async () => {
  clients = await openApiClients();
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

/** What the document says of a route. */
function described({ method, path }: PolicyEntry): { responses: object; requestBody?: { content: object } } {
  const key = path.replace(/:(\w+)/g, '{$1}').replace('{*', '{');
  return validator.document.paths[key]?.[method.toLowerCase()] as never;
}

/** An address of a route: nothing there has this name. */
const addressOf = ({ path }: PolicyEntry, name = '1'): string => path.replace(/:\w+|\{\*\w+\}/g, name);

/** Asks every route that `wanted` picks, and holds its status against what was expected and the document. */
async function askAll(
  wanted: (entry: PolicyEntry) => boolean,
  expected: number,
  who: (entry: PolicyEntry) => ApiClient,
  asked: ApiRequest = {},
  name?: string,
): Promise<void> {
  const chosen = entries.filter(wanted);
  assert.ok(chosen.length > 10, `${chosen.length} routes`);
  for (const entry of chosen) {
    const { status, text } = await who(entry)(entry.method, addressOf(entry, name), asked);
    const route = `${entry.method} ${entry.path}`;
    assert.equal(status, expected, `${route}: ${text.slice(0, 300)}`);
    assert.ok(String(status) in described(entry).responses, `${route} is described without ${status}`);
  }
}

const isClosed = ({ need }: PolicyEntry): boolean => need !== 'public';
const isChange = ({ method }: PolicyEntry): boolean => method !== 'GET';
/** Routes that read a body as JSON or as a form; a webhook's bytes and a picture's are read as they are. */
const readsText = (entry: PolicyEntry): boolean => {
  const { content = {} } = described(entry).requestBody ?? {};
  return 'application/json' in content && !entry.path.startsWith('/webhooks');
};
const hasBody = (entry: PolicyEntry): boolean => described(entry).requestBody !== undefined;

test('another name is 421', async () => {
  await askAll(
    () => true,
    421,
    () => clients.admin,
    { headers: { host: 'evil.example' } },
  );
});

test('without a login it is 401, and for a browser 303', async () => {
  await askAll(isClosed, 401, () => clients.anonymous);
  await askAll(isClosed, 303, () => clients.anonymous, { headers: { accept: 'text/html' } });
});

test('who may not is told 403', async () => {
  await askAll(isClosed, 403, ({ need }) => (need === 'session' ? clients.brokerKey : clients.customer));
});

test('a page of another site may change nothing: 403', async () => {
  await askAll(isChange, 403, () => clients.admin, { headers: { origin: 'http://evil.example' } });
});

test('a broken sign in the address is 400', async () => {
  await askAll(
    ({ path }) => path.includes(':'),
    400,
    () => clients.admin,
    {},
    '%zz',
  );
});

test('JSON that is none is 400', async () => {
  const asked = { body: Buffer.from('{"'), headers: { 'content-type': 'application/json' } };
  await askAll(readsText, 400, () => clients.admin, asked);
});

test('an encoding that nobody knows is 415', async () => {
  const asked = { body: { a: 1 }, headers: { 'content-encoding': 'x-unknown' } };
  await askAll(hasBody, 415, () => clients.admin, asked);
});

test('a body that is too long is 413', async () => {
  const body = Buffer.alloc(MAX_PLAN_BYTES + 1, ' ');
  await askAll(hasBody, 413, () => clients.admin, { body, headers: { 'content-type': 'application/json' } });
});

test.run();

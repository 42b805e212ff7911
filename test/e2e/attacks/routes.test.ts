import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite } from 'uvu';
import { type ApiClients, openApiClients } from '../../helpers/api-clients.js';
import { EXCLUDED_ROUTES } from '../../helpers/api-fuzz-run.js';
import { OpenApiValidator } from '../../helpers/openapi-validator.js';
import { rounds } from '../../helpers/random.js';

/**
 * Sends arbitrary parameters, queries and bodies to every route. fast-check reduces a failing input to the
 * smallest example.
 */
const test = suite('attack: random requests to every route');

const RUNS = rounds(8, 50);

let clients: ApiClients;

test.before(async () => {
  clients = await openApiClients();
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: object; required?: string[] } }> };
}

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  fc.constantFrom('1', '-1', '1e308', '%', '../..', '\u0000', '__proto__', 'null', '0x10', 'a'.repeat(3000)),
);
const types = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'text/csv',
  'image/png',
);

/** Generates a path with a query; each `{name}` in the path becomes an encoded value. */
function addressOf(path: string, { parameters = [] }: Operation): fc.Arbitrary<string> {
  const queries = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const query = fc.array(fc.tuple(fc.constantFrom(...queries, 'x', '__proto__'), text), { maxLength: 3 });
  return fc.tuple(fc.array(text, { minLength: 3, maxLength: 3 }), query).map(([names, members]) => {
    let at = 0;
    const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(names[at++] ?? 'x'));
    const search = members.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    return search ? `${filled}?${search}` : filled;
  });
}

function bodyOf({ requestBody }: Operation): fc.Arbitrary<Buffer> {
  const { properties = {} } = requestBody?.content['application/json']?.schema ?? {};
  const names = [...Object.keys(properties), 'unheardOf', '__proto__'];
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.integer(), fc.double());
  const members = fc.dictionary(fc.constantFrom(...names), value).map((body) => JSON.stringify(body));
  const whole = fc.oneof(members, members, fc.json()).map((body) => Buffer.from(body));
  return fc.oneof(
    { weight: 4, arbitrary: whole },
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );
}

const operations = Object.entries(new OpenApiValidator().document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

for (const { path, method, operation } of operations) {
  if (EXCLUDED_ROUTES.includes(`${method} ${path}`)) continue;
  test(`${method} ${path} returns a documented response to every request`, async () => {
    const described = operation as Operation;
    const type = described.requestBody ? types : fc.constant('application/json');
    const property = fc.asyncProperty(
      addressOf(path, described),
      bodyOf(described),
      type,
      async (address, body, contentType) => {
        const apiRequest = method === 'GET' ? {} : { body, headers: { 'content-type': contentType } };
        const { status, text } = await clients.admin(method, address, apiRequest);
        assert.ok(status < 500 || status === 503, `${status} ${text}`);
      },
    );
    await fc.assert(property, { numRuns: RUNS, seed: 11 });
  });
}

test.run();

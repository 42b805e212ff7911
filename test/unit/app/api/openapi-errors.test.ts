import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { APIS } from '../../../../src/app/api/apis.js';
import { type PolicyEntry, policyOf } from '../../../../src/http/guard/policy.js';
import { MAX_PLAN_BYTES } from '../../../../src/plan/floor-plan/image.js';
import {
  type ApiClient,
  type ApiClients,
  type ApiRequest,
  openApiClients,
} from '../../../helpers/api-clients.js';
import { OpenApiValidator } from '../../../helpers/openapi-validator.js';

const test = suite('error responses for every route');

const validator = new OpenApiValidator();
const entries = policyOf(APIS);
let clients: ApiClients;

test.before(async () => {
  clients = await openApiClients();
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

function described({ method, path }: PolicyEntry): { responses: object; requestBody?: { content: object } } {
  const key = path.replace(/:(\w+)/g, '{$1}').replace('{*', '{');
  return validator.document.paths[key]?.[method.toLowerCase()] as never;
}

/** Returns a path for a route, with `name` in place of every parameter. */
const pathOf = ({ path }: PolicyEntry, name = '1'): string => path.replace(/:\w+|\{\*\w+\}/g, name);

/**
 * Requests every selected route and asserts that the response has the expected status and that the status is
 * documented.
 */
async function requestAll(
  isSelected: (entry: PolicyEntry) => boolean,
  expected: number | ((entry: PolicyEntry) => number),
  clientFor: (entry: PolicyEntry) => ApiClient,
  options: ApiRequest = {},
  name?: string,
): Promise<void> {
  const selected = entries.filter(isSelected);
  assert.ok(selected.length > 10, `${selected.length} routes`);
  for (const entry of selected) {
    const { status, text } = await clientFor(entry)(entry.method, pathOf(entry, name), options);
    const route = `${entry.method} ${entry.path}`;
    const wanted = typeof expected === 'number' ? expected : expected(entry);
    assert.equal(status, wanted, `${route}: ${text.slice(0, 300)}`);
    assert.ok(String(status) in described(entry).responses, `${route} is described without ${status}`);
  }
}

const needsLogin = ({ need }: PolicyEntry): boolean => need !== 'public';
const isChange = ({ method }: PolicyEntry): boolean => method !== 'GET';
/** True for routes that parse a JSON or form body; false for routes that read raw bytes. */
const readsText = (entry: PolicyEntry): boolean => {
  const { content = {} } = described(entry).requestBody ?? {};
  return 'application/json' in content && !entry.path.startsWith('/webhooks');
};
const hasBody = (entry: PolicyEntry): boolean => described(entry).requestBody !== undefined;

test('returns 421 for an unknown host', async () => {
  await requestAll(
    () => true,
    421,
    () => clients.admin,
    { headers: { host: 'evil.example' } },
  );
});

test('returns 401 to anonymous programs and for stops, and 303 to anonymous browsers', async () => {
  await requestAll(needsLogin, 401, () => clients.anonymous);
  const forBrowsers = ({ stopToken = false }: PolicyEntry): number => (stopToken ? 401 : 303);
  const browser = { headers: { accept: 'text/html' } };
  await requestAll(needsLogin, forBrowsers, () => clients.anonymous, browser);
});

test('returns 403 if the required role or scope is missing', async () => {
  await requestAll(needsLogin, 403, ({ need }) =>
    need === 'session' ? clients.brokerKey : clients.customer,
  );
});

test('returns 403 for a change requested from a different site', async () => {
  await requestAll(isChange, 403, () => clients.admin, { headers: { origin: 'http://evil.example' } });
});

test('returns 400 for malformed URL encoding', async () => {
  await requestAll(
    ({ path }) => path.includes(':'),
    400,
    () => clients.admin,
    {},
    '%zz',
  );
});

test('returns 400 for malformed JSON', async () => {
  const options = { body: Buffer.from('{"'), headers: { 'content-type': 'application/json' } };
  await requestAll(readsText, 400, () => clients.admin, options);
});

test('returns 415 for an unknown content encoding', async () => {
  const options = { body: { a: 1 }, headers: { 'content-encoding': 'x-unknown' } };
  await requestAll(hasBody, 415, () => clients.admin, options);
});

test('returns 413 for an oversized body', async () => {
  const body = Buffer.alloc(MAX_PLAN_BYTES + 1, ' ');
  await requestAll(hasBody, 413, () => clients.admin, {
    body,
    headers: { 'content-type': 'application/json' },
  });
});

test.run();

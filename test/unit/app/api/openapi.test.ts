import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { suite } from 'uvu';
import { APIS } from '../../../../src/app/api/apis.js';
import { openApi } from '../../../../src/app/api/openapi.js';
import { policyOf } from '../../../../src/http/guard/policy.js';
import { OpenApiValidator } from '../../../helpers/openapi-validator.js';

/** Checks only the document itself; test helpers compare the document with the gateway's responses. */
const test = suite('OpenAPI document');

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>;
}

const validator = new OpenApiValidator();
const document = openApi() as { paths: Record<string, Record<string, Operation>> };
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('the OpenAPI document conforms to OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.equal(valid, true, JSON.stringify(errors, null, 1));
  const broken = { ...structuredClone(document), paths: { '/beacon': { get: { parameters: 'none' } } } };
  assert.equal((await new Validator().validate(broken)).valid, false, 'detects a fault');
});

test('the OpenAPI document describes every declared route', () => {
  assert.equal(operations.length, policyOf(APIS).length);
});

test('every reference in the OpenAPI document can be resolved', () => {
  const names = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(
    ([, pointer = '']) => pointer,
  );
  assert.ok(names.length > 100);
  for (const pointer of new Set(names)) assert.ok(at(document, pointer), pointer);
});

test('the operation IDs in the OpenAPI document are unique', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  assert.deepEqual(names.length, new Set(names).size);
});

test('every example in the OpenAPI document conforms to its schema', () => {
  let count = 0;
  for (const { path, method, operation } of operations) {
    const start = `#/paths/${path.replaceAll('/', '~1')}/${method}`;
    const bodies = [
      ...mediaOf(`${start}/requestBody`, operation.requestBody?.content),
      ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
        mediaOf(`${start}/responses/${status}`, content),
      ),
    ];
    for (const { pointer, example } of bodies) {
      count += 1;
      assert.equal(validator.faultIn(example, pointer), undefined, `${method} ${path}`);
    }
  }
  assert.ok(count > 60, String(count));
});

test('response validation detects an undocumented route, status, media type or member', () => {
  const good = {
    method: 'GET',
    path: '/livez',
    status: 200,
    type: 'application/json',
    body: '{"alive":true}',
  };
  assert.equal(validator.faultOf(good), undefined);
  assert.match(validator.faultOf({ ...good, path: '/alive' }) ?? '', /route is not in the document/);
  assert.match(
    validator.faultOf({ ...good, status: 418 }) ?? '',
    /418: the document lists 200, 421, 500, 503 only/,
  );
  assert.match(validator.faultOf({ ...good, type: 'text/html' }) ?? '', /not "text\/html"/);
  assert.match(validator.faultOf({ ...good, body: '{"alive":true,"pid":7}' }) ?? '', /additional properties/);
  assert.match(validator.faultOf({ ...good, body: '{}' }) ?? '', /required property 'alive'/);
});

function mediaOf(pointer: string, content: Record<string, { example?: unknown }> = {}) {
  return Object.entries(content)
    .filter(([, { example }]) => example !== undefined)
    .map(([type, { example }]) => ({
      pointer: `${pointer}/content/${type.replaceAll('/', '~1')}/schema`,
      example,
    }));
}

function at(value: unknown, pointer: string): unknown {
  const names = pointer.slice(1).split('/');
  return names.reduce<unknown>(
    (found, name) => (found as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/')],
    value,
  );
}

test.run();

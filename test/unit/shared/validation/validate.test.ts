import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { withLanguage } from '../../../../src/i18n/language.js';
import { translated } from '../../../../src/i18n/messages.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { checkerFor } from '../../../../src/shared/validation/validate.js';

const test = suite('validation');

function faultsOf(schema: object, value: unknown): string[] {
  const result = checkerFor(schema)(value);
  return 'faults' in result ? result.faults.map(({ message }) => textOf(message)) : [];
}

const list = (rest: object): object => ({ type: 'array', items: { type: 'integer' }, ...rest });
const text = (rest: object): object => ({ type: 'string', ...rest });
const record = (rest: object): object => ({ type: 'object', ...rest });

/** Each row contains a schema, an invalid value and the English message. */
const CASES: readonly [object, unknown, string][] = [
  [list({ minItems: 1 }), [], 'must not be empty'],
  [list({ minItems: 2 }), [1], 'must have at least 2 entries'],
  [list({ maxItems: 1 }), [1, 2], 'must have at most 1 entry'],
  [list({ uniqueItems: true }), [1, 1], 'must not contain duplicate entries'],
  [list({}), ['a'], 'must be a whole number'],
  [list({}), 'a', 'must be a list'],
  [text({ minLength: 1 }), '', 'must not be empty'],
  [text({ minLength: 2 }), 'a', 'must have at least 2 characters'],
  [text({ maxLength: 1 }), 'ab', 'must have at most 1 character'],
  [text({}), 1, 'must be text'],
  [text({ enum: ['a', 'b'] }), 'c', 'must be one of a, b'],
  [text({ pattern: '^a$' }), 'b', 'contains characters that are not allowed'],
  [text({ pattern: '^a$', fault: 'must be an a' }), 'b', 'must be an a'],
  [{ type: 'number' }, 'a', 'must be a number'],
  [{ type: 'number', maximum: 90, unit: 'deg' }, 91, 'must be at most 90 degrees'],
  [{ type: 'number', minimum: 2, unit: 'mm' }, 1, 'must be at least 2 mm'],
  [{ type: 'number', maximum: 2 }, 3, 'must be at most 2'],
  [{ type: 'number', multipleOf: 90, unit: '°' }, 3, 'must be a multiple of 90 °'],
  [{ type: 'boolean' }, 1, 'must be true or false'],
  [{ const: 1 }, 2, 'must be 1'],
  [record({}), [], 'must be an object'],
  [record({ required: ['a'], properties: { a: {} } }), {}, 'is missing'],
  [record({ additionalProperties: false }), { a: 1 }, 'is not a known field'],
  [record({ minProperties: 1 }), {}, 'must not be empty'],
  [record({ maxProperties: 1 }), { a: 1, b: 2 }, 'must have at most 1 field'],
  [record({ propertyNames: text({ pattern: '^a$' }) }), { b: 1 }, 'contains a name that is not allowed: b'],
  [
    { type: 'string', anyOf: [{ enum: ['a'] }, { pattern: '^b' }] },
    'c',
    'is not one of the permitted values',
  ],
  [{ type: ['string', 'null'] }, 1, 'must be text or null'],
];

test('describes the validation error for every keyword', () => {
  for (const [schema, value, english] of CASES) {
    assert.deepEqual(faultsOf(schema, value), [english], JSON.stringify(schema));
  }
});

test('translates validation errors into Dutch', () => {
  for (const [schema, value, english] of CASES) {
    if ('fault' in schema) continue;
    const result = checkerFor(schema)(value);
    const [fault] = 'faults' in result ? result.faults : [];
    assert.notEqual(
      withLanguage('nl', () => translated(fault?.message ?? '')),
      english,
    );
  }
});

test('the test cases cover every keyword in the request schemas', async () => {
  const { compiledSchemas } = await import('../../../../src/shared/validation/compile-schema.js');
  const compiled = new URL('../../../../src/', import.meta.url);
  for (const module of ['access', 'beacons', 'carts', 'shop', 'settings']) {
    const names = readdirSync(join(packageRoot(), 'src', module), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((file) => /^(?!http|browser).*\.ts$/.test(file)))
      await import(new URL(`${module}/${name.replace(/\.ts$/, '.js')}`, compiled).href);
  }
  const covered = new Set([...CASES.flatMap(([schema]) => keywordsOf(schema)), ...ANNOTATIONS]);
  const used = [...compiledSchemas.strict, ...compiledSchemas.completing].flatMap((schema) =>
    keywordsOf(JSON.parse(schema)),
  );
  assert.ok(used.length > 1000);
  assert.deepEqual([...new Set(used)].filter((keyword) => !covered.has(keyword)).toSorted(), []);
});

/** Keywords that never cause a validation error. */
const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'unit',
  'apply',
  'secret',
  'basic',
  'group',
  'valueTitles',
  'page',
  'steps',
  'examples',
  'fault',
  'faultCode',
  'properties',
  'items',
];
const LISTS_OF_SCHEMAS = ['anyOf', 'oneOf', 'allOf'];
const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'not'];

function keywordsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    const inside =
      keyword === 'properties' || LISTS_OF_SCHEMAS.includes(keyword)
        ? Object.values(value as object)
        : SCHEMAS.includes(keyword)
          ? [value]
          : [];
    return [keyword, ...inside.flatMap(keywordsOf)];
  });
}

test.run();

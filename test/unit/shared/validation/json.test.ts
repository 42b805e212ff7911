import assert from 'node:assert/strict';
import { test } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import { checkJsonShape, locateJsonFault, parseJson } from '../../../../src/shared/validation/json.js';

function rejects(run: () => unknown, message: RegExp): void {
  assert.throws(run, (error: unknown) => {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.code, 'INVALID_INPUT');
    assert.match(error.message, message);
    return true;
  });
}

test('parses a document with or without a byte order mark', () => {
  assert.deepEqual(parseJson('{"a":[1,null]}'), { a: [1, null] });
  assert.deepEqual(parseJson('\uFEFF{"a":1}'), { a: 1 });
});

test('rejects names that give access to a prototype, including nested and escaped names', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
    rejects(() => parseJson(`{"a":[{"${name}":{"polluted":true}}]}`), /which is not allowed/);
  }
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('accepts 12 levels of nesting, but rejects 13 or 500,000 levels', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  parseJson(nested(12));
  rejects(() => parseJson(nested(13)), /nested too deeply/);
  rejects(() => parseJson(nested(500_000), { maxBytes: 2_000_000 }), /nested too deeply/);
  rejects(() => parseJson('{"a":{"b":{}}}', { maxDepth: 2 }), /nested too deeply/);
});

test('rejects a document over the byte limit before parsing it', () => {
  rejects(() => parseJson('"€€€€"', { maxBytes: 13 }), /longer than 13 bytes/);
  assert.equal(parseJson('"€€€€"', { maxBytes: 14 }), '€€€€');
  rejects(() => parseJson(`"${'x'.repeat(1024 * 1024)}"`), /longer than 262144 bytes/);
});

test('reports a syntax error with its line and column, but does not quote the text', () => {
  const text = '{\n  "password": "hunter2",\n}';
  rejects(
    () => parseJson(text),
    /^the document is not valid JSON: line 3, column 1: expected a name in double quotes$/,
  );
  rejects(() => parseJson('  \n'), /is empty/);
});

for (const [text, fault] of [
  ['{"a":,}', 'line 1, column 6: expected a value'],
  ['{"a" 1}', 'line 1, column 6: expected :'],
  ['[1 2]', 'line 1, column 4: expected , or ]'],
  ['{"a":[1,{"b":2}', 'line 1, column 16: expected , or ]'],
  ['{"a":1', 'line 1, column 7: expected , or }'],
  ['{"a":1}}', 'line 1, column 8: expected the end'],
  ["{'a':1}", 'line 1, column 2: expected a name in double quotes or }'],
  ['{\n "a": tru }', 'line 2, column 7: expected a value'],
  ['["tab\there"]', 'line 1, column 2: expected a value or ]'],
  ['[1,]', 'line 1, column 4: expected a value'],
] as const) {
  test(`locates the syntax error in ${JSON.stringify(text)}`, () => {
    assert.throws(() => JSON.parse(text));
    assert.equal(locateJsonFault(text), fault);
  });
}

test('agrees with JSON.parse on whether a document with one changed character is valid', () => {
  const text = '{"a":[1,-2.5e3,true,null,"x\\n\\u0041"],"b":{"c":{}},"d":[]}';
  for (let at = 0; at < text.length; at += 1) {
    for (const mark of ['"', '}', ',', '\\', '0', ' ']) {
      const changed = text.slice(0, at) + mark + text.slice(at + 1);
      let isJson = true;
      try {
        JSON.parse(changed);
      } catch {
        isJson = false;
      }
      const [, column] = /column (\d+)/.exec(locateJsonFault(changed)) ?? [];
      assert.equal(
        Number(column) === changed.length + 1 && /the end$/.test(locateJsonFault(changed)),
        isJson,
        changed,
      );
    }
  }
});

test('applies the name and nesting rules to values that have already been parsed', () => {
  checkJsonShape({ a: [1, { b: null }] });
  checkJsonShape('text');
  rejects(() => checkJsonShape(JSON.parse('{"a":{"__proto__":1}}')), /__proto__/);
  rejects(() => checkJsonShape([[[]]], 2), /nested too deeply/);
});

test.run();

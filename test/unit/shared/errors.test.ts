import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { ERROR_STATUS, isErrorCode } from '../../../src/shared/errors.js';

const test = suite('error codes');

test('only unexpected errors, failed writes and the failures in the specification have status 500', () => {
  const codes = Object.entries(ERROR_STATUS).flatMap(([code, status]) => (status === 500 ? [code] : []));
  assert.deepEqual(codes, ['ADD_FAILED', 'INTERNAL', 'LOGIN_FAILED', 'WRITE_FAILED']);
});

test('every code consists of upper-case words', () => {
  for (const code of Object.keys(ERROR_STATUS)) assert.match(code, /^[A-Z]+(_[A-Z]+)*$/);
});

for (const [code, known] of [
  ['RANGE', true],
  ['CAMERA_MISSING', true],
  ['range', false],
  ['STALL', false],
  ['constructor', false],
  ['', false],
] as const) {
  test(`${known ? 'recognises' : 'does not recognise'} the code "${code}"`, () => {
    assert.equal(isErrorCode(code), known);
  });
}

test.run();

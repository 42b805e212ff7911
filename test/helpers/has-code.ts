import assert from 'node:assert/strict';
import { GatewayError } from '../../src/shared/errors.js';

/** Asserts that an error is a GatewayError with this code, for use in `assert.throws` and `assert.rejects`. */
export const hasCode = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, expected);
  return true;
};

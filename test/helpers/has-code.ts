import assert from 'node:assert/strict';
import { GatewayError } from '../../src/shared/errors.js';

/** For `assert.throws` and `assert.rejects`: a GatewayError with this code. */
export const hasCode = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, expected);
  return true;
};

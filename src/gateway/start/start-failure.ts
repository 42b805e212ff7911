import { GatewayError, hintOf, messageOf } from '../../shared/errors.js';
import { fileErrorCode } from '../../shared/files.js';

/** Why the gateway does not start: for a person, and as a line of the JSON log with the same sentence. */
export function startFailure(error: unknown): { text: string; line: string } {
  const hint = hintOf(error);
  const reason = `${messageOf(error)}${hint === '' ? '' : `. ${hint}`}`;
  // Only a defect of the program needs its stack.
  const isExpected = error instanceof GatewayError || fileErrorCode(error) !== '';
  const stack = error instanceof Error && !isExpected ? { stack: error.stack } : {};
  const code = error instanceof GatewayError ? { code: error.code } : {};
  const fields = { level: 'error', event: 'gateway.start_failed', ...code, reason, ...stack };
  return {
    text: `Cartwright did not start: ${stack.stack ?? reason}\n`,
    line: `${JSON.stringify({ time: new Date().toISOString(), ...fields })}\n`,
  };
}

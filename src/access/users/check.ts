import { GatewayError } from '../../shared/errors.js';
import { faultSentence } from '../../shared/validation/messages.js';
import type { Checker } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import { isCommonPassword } from './common-passwords.js';

/** What makes two user names the same: case and the ways to write a character do not tell people apart. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

/** The value as its schema has it; throws `INVALID_INPUT` with every fault, and never quotes what was sent. */
export function checked<T>(check: Checker<T>, value: unknown): T {
  const result = check(value);
  if ('value' in result) return result.value;
  const faults = result.faults.map(({ path, message }) => ({ path: path.slice(1), message }));
  const sentence = faultSentence(faults.map((fault) => ({ ...fault, path: fault.path || 'the body' })));
  const [first] = faults;
  throw new GatewayError('INVALID_INPUT', sentence, {
    ...(first?.path ? { field: first.path } : {}),
    faults,
  });
}

/** Throws `INVALID_INPUT` for a password that would be guessed: a common one, or the user's own name. */
export function refuseWeak(password: string, username: string): void {
  if (!isCommonPassword(password) && usernameKey(password) !== usernameKey(username)) return;
  throw new GatewayError('INVALID_INPUT', accessMessage('password-common'), {
    field: 'password',
    hint: 'Take a longer one, of several words for instance.',
  });
}

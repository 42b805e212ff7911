import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { faultSentence } from '../../shared/validation/messages.js';
import type { Checker } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import { isCommonPassword } from './common-passwords.js';

/** Returns a unique key for a username; ignores case, Unicode compatibility variants and surrounding spaces. */
export function usernameKey(username: string): string {
  return untrimmedKey(username).trim();
}

/** Returns the key that earlier versions used for a username with surrounding spaces. */
export function untrimmedKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

/** Removes the spaces around the text in a field of unvalidated input. */
export function withTrimmed(field: string, input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  const { [field]: value } = input;
  return typeof value === 'string' ? { ...input, [field]: value.trim() } : input;
}

/** Throws `INVALID_INPUT`, which lists all errors without quoting the input. */
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

/** Throws `INVALID_INPUT` if the password is common or equal to the username. */
export function rejectWeakPassword(password: string, username: string): void {
  if (!isCommonPassword(password) && usernameKey(password) !== usernameKey(username)) return;
  throw new GatewayError('INVALID_INPUT', accessMessage('password-common'), {
    field: 'password',
    hint: accessMessage('password-common-hint'),
  });
}

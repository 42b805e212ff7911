import { GatewayError, messageOf, never } from '../../shared/errors.js';
import { type RetryPolicy, retryDelayMs } from '../../shared/retry.js';
import { shopMessage } from '../messages.js';
import { MAX_UNPAID_LINES, MAX_UNPAID_PAYMENTS } from '../orders/limits.js';
import type { BeginRefusal } from './begin-writes.js';

/** What a failed provider call means for a payment that was being made. */
type Meaning =
  /** Nothing was made, and nothing will be. */
  | 'refused'
  /** The provider answered with a failure that it may repeat for the same key. */
  | 'spent'
  /** It may have been made. */
  | 'unclear';

/** The meaning of anything that a provider call threw. */
export function meaningOf(error: unknown): Meaning {
  const code = error instanceof GatewayError ? error.code : '';
  if (code === 'PROVIDER_AMOUNT' || code === 'PROVIDER_REFUSED') return 'refused';
  return code === 'PROVIDER_FAILED' ? 'spent' : 'unclear';
}

/** As it is kept: `CODE: sentence`. */
export function noteOf(error: unknown): string {
  const code = error instanceof GatewayError ? error.code : 'INTERNAL';
  return `${code}: ${messageOf(error)}`.slice(0, 500);
}

/** A kept note as the error that the caller of `POST /payments` gets. */
export function refusalOf(note: string | null): GatewayError {
  const [, code = '', message = ''] = /^(\w+): (.*)$/s.exec(note ?? '') ?? [];
  if (code === 'PROVIDER_AMOUNT') return new GatewayError('INVALID_INPUT', message, { field: 'value' });
  return loginFailed(message || 'the payment provider has not answered yet');
}

/** The specification gives the failure of a payment the words and the code of a failed login. */
export function loginFailed(reason: string, cause?: unknown): GatewayError {
  return new GatewayError('LOGIN_FAILED', `login failed: the payment could not be created: ${reason}`, {
    cause,
  });
}

const CHECKS: RetryPolicy = {
  delaysMs: [2000, 5000, 15_000, 60_000, 300_000, 3_600_000],
  jitter: 'slight',
};

/** How long to wait before a payment is looked at again, ±20 %, in ms: soon at first, hourly in the end. */
export function nextDelayMs(attempts: number): number {
  return Math.round(retryDelayMs(CHECKS, attempts + 1));
}

/** A customer is at the limit of what is kept unpaid. */
export function tooMany(what: string, limit: number): GatewayError {
  return new GatewayError('RATE', `this customer has ${limit} unpaid ${what}`, {
    ...{ limit, unit: what, retryAfterS: 3600 },
    hint: 'Pay for them. Unpaid ones are removed after 8 days.',
  });
}

/** Why a payment cannot begin, in words. */
export function refusalToBegin(why: BeginRefusal): GatewayError {
  switch (why) {
    case 'payments':
      return tooMany('payments', MAX_UNPAID_PAYMENTS);
    case 'lines':
      return tooMany('order lines', MAX_UNPAID_LINES);
    case 'empty':
      return new GatewayError('CONFLICT', shopMessage('basket-empty'));
    case 'currency':
      return new GatewayError('CONFLICT', 'a game in the basket has its price in another currency');
    case 'retired':
      return new GatewayError('CONFLICT', shopMessage('basket-item-gone'));
    case 'amount':
      return new GatewayError('CONFLICT', 'the basket costs less or more than can be paid at once');
    default:
      return never(why);
  }
}

import { type ErrorCode, GatewayError, messageOf, never } from '../../shared/errors.js';
import type { PaymentErrorReason } from '../../shared/ports/payments.js';
import type { StoreStatus } from '../../shared/ports/store.js';
import { type RetryPolicy, retryDelayMs } from '../../shared/retry.js';
import { shopMessage } from '../messages.js';
import { MAX_UNPAID_LINES, MAX_UNPAID_PAYMENTS } from '../orders/customer-limits.js';
import type { PaymentRow } from '../rows.js';
import type { BeginRefusal } from './begin-writes.js';

const MAX_MESSAGE = 500;

type FailureKind =
  /** Permanent: the provider created nothing. */
  | 'rejected'
  /** The provider may repeat the failure for the same idempotency key. */
  | 'replayed'
  /** It is unknown whether the provider created the payment. */
  | 'unclear';

export function failureKind(error: unknown): FailureKind {
  const code = error instanceof GatewayError ? error.code : '';
  if (code === 'PROVIDER_AMOUNT' || code === 'PROVIDER_REFUSED') return 'rejected';
  return code === 'PROVIDER_FAILED' ? 'replayed' : 'unclear';
}

/** The latest error of a payment, as stored. */
export interface StoredError {
  code: ErrorCode;
  /** At most 500 characters. */
  message: string;
  reason: PaymentErrorReason | null;
}

export function toStoredError(error: unknown): StoredError {
  const { code, reason } = error instanceof GatewayError ? error : { code: 'INTERNAL' as const };
  return {
    code,
    message: messageOf(error).slice(0, MAX_MESSAGE),
    reason: (reason as PaymentErrorReason | undefined) ?? null,
  };
}

/** Formats the latest error for operators: `CODE: message`; null if there is none. */
export function storedErrorText({
  errorCode,
  errorMessage,
}: Pick<PaymentRow, 'errorCode' | 'errorMessage'>): string | null {
  if (errorMessage === null) return null;
  return errorCode === null ? errorMessage : `${errorCode}: ${errorMessage}`;
}

/**
 * Returns why payments are disabled (the database may lack payments that the provider has); undefined if they are
 * enabled.
 */
export function interlockError({
  lostWrites,
  restored,
}: Pick<StoreStatus, 'lostWrites' | 'restored'>): GatewayError | undefined {
  if (lostWrites) {
    const hint = shopMessage('off-after-loss-hint');
    return new GatewayError('PAYMENTS_OFF', shopMessage('off-after-loss'), { hint });
  }
  if (!restored) return undefined;
  const hint = shopMessage('off-after-restore-hint');
  return new GatewayError('PAYMENTS_OFF', shopMessage('off-after-restore'), { hint });
}

/** Converts a stored error to the error for `POST /payments`. */
export function creationError(code: string | null, message: string | null): GatewayError {
  if (code === 'PROVIDER_AMOUNT') return new GatewayError('INVALID_INPUT', message ?? '', { field: 'value' });
  return loginFailed(message || 'the payment provider has not responded yet');
}

/** For a failed payment, the specification requires the error code and message of a failed login. */
export function loginFailed(reason: string, cause?: unknown): GatewayError {
  return new GatewayError('LOGIN_FAILED', `login failed: the payment could not be created: ${reason}`, {
    cause,
  });
}

const CHECKS: RetryPolicy = {
  delaysMs: [2000, 5000, 15_000, 60_000, 300_000, 3_600_000],
  jitter: 'slight',
};

/** Returns the delay before the next check: from 2 s up to 1 h, ±20 %. */
export function nextDelayMs(attempts: number): number {
  return Math.round(retryDelayMs(CHECKS, attempts + 1));
}

export function limitError(unit: 'payments' | 'order lines', limit: number): GatewayError {
  const text = shopMessage(unit === 'payments' ? 'unpaid-payments' : 'unpaid-lines', { limit });
  return new GatewayError('RATE', text, {
    limit,
    unit,
    retryAfterS: 3600,
    hint: shopMessage('unpaid-hint'),
  });
}

export function beginRejectedError(why: BeginRefusal): GatewayError {
  switch (why) {
    case 'payments':
      return limitError('payments', MAX_UNPAID_PAYMENTS);
    case 'lines':
      return limitError('order lines', MAX_UNPAID_LINES);
    case 'empty':
      return new GatewayError('CONFLICT', shopMessage('basket-empty'));
    case 'currency':
      return new GatewayError('CONFLICT', shopMessage('basket-currency'));
    case 'retired':
      return new GatewayError('CONFLICT', shopMessage('basket-item-gone'));
    case 'amount':
      return new GatewayError('CONFLICT', shopMessage('basket-amount'));
    default:
      return never(why);
  }
}

import type { WriteDatabase } from '../../shared/ports/database.js';
import type { Money, PaymentFact, PaymentStatus } from '../../shared/ports/payments.js';
import { factColumns } from '../rows.js';
import type { StoredError } from './errors.js';
import { recordRefund } from './status-and-refund-writes.js';

export interface FailureRequest {
  transactionId: string;
  error: StoredError;
  /** True if a retry must use a new idempotency key, because the provider may repeat this failure. */
  needsNewKey: boolean;
  /** True if the caller received an error. */
  isReported: boolean;
  at: number;
  checkAt: number;
}

export interface AbandonRequest {
  transactionId: string;
  error: StoredError;
  at: number;
}

export interface HintRequest {
  provider: string;
  ref: string | null;
  transactionId: string | null;
  eventId: string | null;
  /** True if the webhook reports that a delayed payment failed. */
  isDelayedFailure: boolean;
  paymentRef: string | null;
  refunded: Money | null;
  fact: PaymentFact;
  at: number;
}

const FAILURE = `
  UPDATE payments SET attempts = attempts + 1, key_number = key_number + @newKeys, error_code = @code,
    error_reason = @reason, last_error = @message, told_failed = max(told_failed, @reported), next_check_at = @checkAt, updated_at = @at
  WHERE transaction_id = @id AND next_check_at IS NOT NULL`;
const ABANDON = `
  UPDATE payments SET intent_state = 'abandoned', status = 'failed', error_code = @code,
    error_reason = @reason, last_error = @message, next_check_at = NULL, updated_at = @at
  WHERE transaction_id = @id AND intent_state = 'creating' RETURNING 1`;
const ABANDONED = `
  INSERT INTO payment_events (transaction_id, source, from_status, to_status, detail, facts, at)
  VALUES (@id, 'local', 'pending', 'failed', @detail, @facts, @at)`;
const FIND = `
  SELECT transaction_id AS id, status FROM payments
  WHERE provider = @provider
    AND (transaction_id = @transactionId OR provider_ref = @ref OR payment_ref = @paymentRef)`;
const HINT = `
  INSERT INTO payment_events (transaction_id, source, from_status, to_status, provider_event_id, detail, facts, at)
  VALUES (@id, 'webhook', @status, @status, @eventId, @detail, @facts, @at)
  ON CONFLICT (provider_event_id) DO NOTHING`;
/** A final payment is also read again, because it can be refunded, disputed or paid after all. */
const MAKE_DUE = `
  UPDATE payments SET next_check_at = @at WHERE transaction_id = @id AND intent_state <> 'abandoned'`;
/** A later session of the same payment may still succeed, so the session must be the current one. */
const DELAYED_FAILURE = `
  UPDATE payments SET delayed = 'failed'
  WHERE transaction_id = @id AND provider_ref = @ref AND provider_status = 'pending'`;

export function recordFailure(db: WriteDatabase, request: FailureRequest): void {
  const { transactionId: id, error, needsNewKey, isReported, at, checkAt } = request;
  const newKeys = needsNewKey ? 1 : 0;
  db.prepare(FAILURE).run({ id, ...error, newKeys, reported: isReported ? 1 : 0, at, checkAt });
}

export function abandon(db: WriteDatabase, { transactionId: id, error, at }: AbandonRequest): void {
  const { code, message, reason } = error;
  if (!db.prepare(ABANDON).get({ id, code, message, reason, at })) return;
  const fact: PaymentFact = { code: 'error', text: `${code}: ${message}`, values: [code, reason ?? ''] };
  db.prepare(ABANDONED).run({ id, at, ...factColumns([fact]) });
}

/** Marks a webhook's payment as due for a check. Returns null for an unknown payment or a repeated event. */
export function recordHint(db: WriteDatabase, request: HintRequest): string | null {
  const { provider, ref, transactionId, eventId, isDelayedFailure, paymentRef, refunded, fact, at } = request;
  const row = db
    .prepare<{ id: string; status: PaymentStatus }>(FIND)
    .get({ provider, ref, transactionId, paymentRef });
  if (!row) return null;
  const { changes } = db.prepare(HINT).run({ ...row, eventId, at, ...factColumns([fact]) });
  if (changes === 0) return null;
  if (isDelayedFailure) db.prepare(DELAYED_FAILURE).run({ id: row.id, ref });
  if (refunded) recordRefund(db, row.id, refunded, at);
  db.prepare(MAKE_DUE).run({ id: row.id, at });
  return row.id;
}

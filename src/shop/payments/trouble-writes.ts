import type { WriteDatabase } from '../../shared/ports/ports.js';
import type { PaymentStatus } from './provider.js';

/** A provider call that did not give an answer to go by. */
export interface TroubleRequest {
  transactionId: string;
  /** `CODE: sentence`. */
  error: string;
  /** The provider may repeat this failure for its key: the next try takes another one. */
  isKeySpent: boolean;
  /** Whoever asked for the payment is told now that it failed. */
  isTold: boolean;
  at: number;
  checkAt: number;
}

/** A payment that will never be: nothing was made at the provider. */
export interface AbandonRequest {
  transactionId: string;
  error: string;
  at: number;
}

/** A webhook, after its signature was checked. */
export interface HintRequest {
  provider: string;
  ref: string | null;
  transactionId: string | null;
  eventId: string | null;
  detail: string;
  at: number;
}

const TROUBLE = `
  UPDATE payments SET attempts = attempts + 1, key_number = key_number + @spent, last_error = @error,
    told_failed = max(told_failed, @told), next_check_at = @checkAt, updated_at = @at
  WHERE transaction_id = @id AND next_check_at IS NOT NULL`;
const ABANDON = `
  UPDATE payments SET intent_state = 'abandoned', status = 'failed', last_error = @error, next_check_at = NULL,
    updated_at = @at
  WHERE transaction_id = @id AND intent_state = 'creating' RETURNING 1`;
const ABANDONED = `
  INSERT INTO payment_events (transaction_id, source, from_status, to_status, detail, at)
  VALUES (@id, 'local', 'pending', 'failed', @error, @at)`;
const FIND = `
  SELECT transaction_id AS id, status FROM payments
  WHERE provider = @provider AND (transaction_id = @transactionId OR provider_ref = @ref)`;
const HINT = `
  INSERT INTO payment_events (transaction_id, source, from_status, to_status, provider_event_id, detail, at)
  VALUES (@id, 'webhook', @status, @status, @eventId, @detail, @at)
  ON CONFLICT (provider_event_id) DO NOTHING`;
/** Not those of which all is said. */
const SOON =
  'UPDATE payments SET next_check_at = @at WHERE transaction_id = @id AND next_check_at IS NOT NULL';

export function trouble(db: WriteDatabase, request: TroubleRequest): void {
  const { transactionId: id, error, isKeySpent, isTold, at, checkAt } = request;
  db.prepare(TROUBLE).run({ id, error, spent: isKeySpent ? 1 : 0, told: isTold ? 1 : 0, at, checkAt });
}

export function abandon(db: WriteDatabase, { transactionId: id, error, at }: AbandonRequest): void {
  if (db.prepare(ABANDON).get({ id, error, at })) db.prepare(ABANDONED).run({ id, error, at });
}

/** Records the hint and makes its payment due. Null for a payment that is not ours, and for an event that came before. */
export function hint(db: WriteDatabase, request: HintRequest): string | null {
  const { provider, ref, transactionId, eventId, detail, at } = request;
  const row = db.prepare<{ id: string; status: PaymentStatus }>(FIND).get({ provider, ref, transactionId });
  if (!row) return null;
  const { changes } = db.prepare(HINT).run({ ...row, eventId, detail, at });
  if (changes === 0) return null;
  db.prepare(SOON).run({ id: row.id, at });
  return row.id;
}

import type { WriteDatabase, WriteOperations } from '../../shared/ports/database.js';
import type { CheckoutRequest } from '../../shared/ports/payments.js';

export interface SandboxRow {
  ref: string;
  transactionId: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  returnUrl: string;
  state: 'open' | 'paid' | 'expired';
  declines: number;
  /** Unix time in ms. */
  createdAt: number;
}

export interface SandboxCreate extends CheckoutRequest {
  ref: string;
  at: number;
}

export interface SandboxMove {
  ref: string;
  to: 'paid' | 'expired' | 'declined';
}

export const SANDBOX_COLUMNS = `
  ref, transaction_id AS transactionId, order_id AS orderId, amount_minor AS amountMinor, currency,
  return_url AS returnUrl, state, declines, created_at AS createdAt`;

const INSERT = `
  INSERT INTO sandbox_checkouts (ref, idempotency_key, transaction_id, order_id, amount_minor, currency, return_url,
    created_at)
  VALUES (@ref, @idempotencyKey, @transactionId, @orderId, @amountMinor, @currency, @returnUrl, @at)
  ON CONFLICT (idempotency_key) DO NOTHING`;
const BY_KEY = `SELECT ${SANDBOX_COLUMNS} FROM sandbox_checkouts WHERE idempotency_key = @idempotencyKey`;
const MOVE = `
  UPDATE sandbox_checkouts SET state = @to WHERE ref = @ref AND state = 'open'`;
const DECLINE = `
  UPDATE sandbox_checkouts SET declines = declines + 1 WHERE ref = @ref AND state = 'open'`;
const BY_REF = `SELECT ${SANDBOX_COLUMNS} FROM sandbox_checkouts WHERE ref = @ref`;

/** Idempotent: returns the existing checkout if the key was used before. */
function create(db: WriteDatabase, request: SandboxCreate): SandboxRow | null {
  db.prepare(INSERT).run({ ...request });
  return db.prepare<SandboxRow>(BY_KEY).get({ idempotencyKey: request.idempotencyKey }) ?? null;
}

/** Changes the state of an open checkout. Returns the resulting checkout; null if it does not exist. */
function move(db: WriteDatabase, { ref, to }: SandboxMove): SandboxRow | null {
  if (to === 'declined') db.prepare(DECLINE).run({ ref });
  else db.prepare(MOVE).run({ ref, to });
  return db.prepare<SandboxRow>(BY_REF).get({ ref }) ?? null;
}

/** Deletes old unpaid checkouts, except those of existing payments, which can still be queried. */
const PRUNE = `
  DELETE FROM sandbox_checkouts WHERE ref IN (
    SELECT ref FROM sandbox_checkouts
    WHERE state <> 'paid' AND created_at < @before
      AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.transaction_id = sandbox_checkouts.transaction_id)
    LIMIT @limit)`;

function prune(db: WriteDatabase, { before, limit }: { before: number; limit: number }): number {
  return db.prepare(PRUNE).run({ before, limit }).changes;
}

export const sandboxWrites = {
  'sandbox.create': create,
  'sandbox.move': move,
  'sandbox.prune': prune,
} satisfies WriteOperations;

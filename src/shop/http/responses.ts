import type { ErrorRequestHandler, Response } from 'express';
import { failureOf, type HttpFailure } from '../../http/errors.js';
import { actorName } from '../../shared/actor.js';
import type { ErrorCode } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import { storedErrorText } from '../payments/errors.js';
import { toDecimal } from '../payments/money.js';
import type { PaymentEvent, PaymentRow } from '../rows.js';

export type PaymentView = ReturnType<typeof paymentView>;

/** Returns the payment as operators receive it: Unix times in ms, a decimal `value`, and no idempotency key. */
export function paymentView(row: PaymentRow, events: readonly PaymentEvent[]) {
  const { seq, transactionId, orderId, userId, currency, provider, providerRef, status, providerStatus } =
    row;
  return {
    seq,
    transactionId,
    orderId,
    userId,
    value: toDecimal(row.amountMinor),
    currency,
    status,
    statusSource: row.statusSource,
    provider,
    providerRef,
    providerStatus,
    processing: status === 'pending' && row.delayed === 'processing',
    paid: row.paidMinor === null ? null : toDecimal(row.paidMinor),
    paidCurrency: row.paidCurrency,
    refunded: toDecimal(row.refundedMinor),
    disputed: toDecimal(row.disputedMinor),
    lostInDisputes: toDecimal(row.lostMinor),
    settlement: row.settlement,
    intentState: row.intentState,
    lastError: storedErrorText(row),
    createdAt: row.createdAt,
    events: events.map(({ transactionId: _id, facts: _facts, actor, conflict, ...event }) => ({
      ...event,
      actor: actor && actorName(actor),
      conflict: conflict === 1,
    })),
  };
}

/**
 * Error bodies that the specification requires. `payment`: `{error, message, code}`; `plain`: `{error}`;
 * `order`: `{error}`, plus `success: false` for a server error.
 */
export type ErrorShape = 'payment' | 'plain' | 'order';

/** Codes for status 503, sent if the request is valid but payments are disabled. */
export const DISABLED_CODES: readonly ErrorCode[] = ['CLOCK_UNSET', 'PAYMENTS_OFF'];

/**
 * Sends 400 and 500 errors in the shape that the specification requires, and passes on other errors. The
 * specification uses 500 for every server error.
 */
export function specErrors(shape: ErrorShape, log: Log): ErrorRequestHandler {
  // Express recognises error handlers by their four parameters.
  return (thrown: unknown, req, res, next) => {
    const failure = failureOf(thrown);
    const { status, body } = failure;
    const isSpecified = status === 400 || (status >= 500 && !DISABLED_CODES.includes(body.code));
    if (!isSpecified || res.headersSent) return next(thrown);
    if (body.code === 'INTERNAL')
      log.error('request.failed', { method: req.method, path: req.path, error: thrown });
    sendError(res, shape, failure);
  };
}

function sendError(res: Response, shape: ErrorShape, { status, body }: HttpFailure): void {
  const { message, code, retryAfterS } = body;
  if (retryAfterS !== undefined) res.setHeader('retry-after', String(retryAfterS));
  if (status === 400) {
    const plain = { error: message };
    return void res.status(400).json(shape === 'payment' ? { error: body.error, message, code } : plain);
  }
  res.status(500);
  if (shape === 'plain') return void res.json({ error: message });
  if (shape === 'order') return void res.json({ success: false, error: message });
  const text =
    code === 'LOGIN_FAILED' ? message : `Login failed: the payment could not be created: ${message}`;
  res.json({ error: 'Payment not created', message: text, code: 'LOGIN_FAILED' });
}

import type { ErrorRequestHandler, Response } from 'express';
import type { Log } from '../../shared/ports/ports.js';
import { failureOf, type HttpFailure } from '../../web/errors.js';
import { toDecimal } from '../payments/money.js';
import type { PaymentEvent, PaymentRow } from '../rows.js';

export type PaymentView = ReturnType<typeof paymentView>;

/** A payment for operators: times in ms since 1970 UTC, `value` decimal, nothing about the key of the caller. */
export function paymentView(row: PaymentRow, events: readonly PaymentEvent[]) {
  const { seq, transactionId, orderId, userId, currency, provider, providerRef, status, providerStatus } =
    row;
  return {
    ...{ seq, transactionId, orderId, userId, value: toDecimal(row.amountMinor), currency },
    ...{ status, statusSource: row.statusSource, provider, providerRef, providerStatus },
    ...{ paid: row.paidMinor === null ? null : toDecimal(row.paidMinor), paidCurrency: row.paidCurrency },
    settlement: row.settlement,
    intentState: row.intentState,
    lastError: row.lastError,
    createdAt: row.createdAt,
    events: events.map(({ transactionId: _id, conflict, ...event }) => ({
      ...event,
      conflict: conflict === 1,
    })),
  };
}

/**
 * The error bodies of the specification's shop routes: `payment` is `{error, message, code}`, `plain` is `{error}`, and
 * `order` is `{error}` with `success: false` on a failure of ours.
 */
export type ErrorShape = 'payment' | 'plain' | 'order';

/** Said with the house's own status, 503: nothing is wrong with the request, and waiting alone does not help. */
const CLOSED = ['CLOCK_UNSET', 'PAYMENTS_OFF'];

/**
 * The last handler of a route: answers 400 and 500 in the specification's shape, always as JSON. Every failure of the
 * server is 500 there. What the specification does not name goes on to the house's handler.
 */
export function specErrors(shape: ErrorShape, log: Log): ErrorRequestHandler {
  // Express knows an error handler by its four arguments.
  return (thrown: unknown, req, res, next) => {
    const failure = failureOf(thrown);
    const { status, body } = failure;
    const isNamed = status === 400 || (status >= 500 && !CLOSED.includes(body.code));
    if (!isNamed || res.headersSent) return next(thrown);
    if (body.code === 'INTERNAL')
      log.error('request.failed', { method: req.method, path: req.path, error: thrown });
    answer(res, shape, failure);
  };
}

function answer(res: Response, shape: ErrorShape, { status, body }: HttpFailure): void {
  const { message, code, retryAfterS } = body;
  if (retryAfterS !== undefined) res.setHeader('retry-after', String(retryAfterS));
  if (status === 400) {
    const plain = { error: message };
    return void res.status(400).json(shape === 'payment' ? { error: body.error, message, code } : plain);
  }
  res.status(500);
  if (shape === 'plain') return void res.json({ error: message });
  if (shape === 'order') return void res.json({ success: false, error: message });
  const named =
    code === 'LOGIN_FAILED' ? message : `Login failed: the payment could not be created: ${message}`;
  res.json({ error: 'Payment not created', message: named, code: 'LOGIN_FAILED' });
}

import type { Request, Response } from 'express';
import { failureOf, logUnexpected, setFailureStatus, wantsPage } from '../../http/errors.js';
import { safeNext } from '../../http/guard/origin.js';
import { webMessage } from '../../http/messages.js';
import { GatewayError } from '../../shared/errors.js';
import type { Message } from '../../shared/messages/message.js';
import type { Log } from '../../shared/ports/log.js';
import { cartLabels } from '../cart-labels.js';
import type { StoppedCart } from '../command/model.js';
import { cartMessage } from '../messages.js';

declare global {
  namespace Express {
    interface Request {
      /** Set when a stop was executed; absent if the stop was not sent to any cart. */
      stopResult?: 'confirmed' | 'unconfirmed';
    }
  }
}

export interface StopAnswer {
  success: boolean;
  /** The requested target if all its carts have confirmed the stop; otherwise, the carts that have. */
  stopped: number | 'all' | number[];
  carts: StoppedCart[];
}

interface MalformedStop {
  /** Why the request was rejected although its stop was executed. */
  fault: unknown;
  carts: StoppedCart[];
  log: Log;
}

/** Status 200 if every cart has confirmed the stop, 207 if only some have, and 503 if none has. */
export function answerStop(
  req: Request,
  res: Response,
  carts: StoppedCart[],
  all: StopAnswer['stopped'],
): void {
  noteStop(req, carts);
  const missing = carts.filter(({ confirmed }) => !confirmed);
  const [first] = missing;
  if (!first) {
    if (wantsPage(req)) res.redirect(303, safeNext(req.body?.back));
    else res.json({ success: true, stopped: all, carts });
    return;
  }
  const failed = unconfirmed(first, missing);
  if (wantsPage(req)) throw failed;
  const { body } = failureOf(failed);
  const status = missing.length < carts.length ? 207 : 503;
  res.status(status).json({ success: false, stopped: confirmedIds(carts), carts, ...body });
}

/**
 * Responds to a malformed request whose stop was executed: sends the error and its status. JSON also lists the carts,
 * as in the response to a stop that not every cart has confirmed.
 */
export function answerMalformedStop(req: Request, res: Response, stop: MalformedStop): void {
  const { fault, carts } = stop;
  noteStop(req, carts);
  if (wantsPage(req)) throw withStoppedCarts(fault, carts);
  sendMalformedStop(req, res, stop);
}

/** Returns the title of an error page after a request to stop carts; undefined if the stop was confirmed. */
export function stopFailureTitle({ stopResult }: Request): Message | undefined {
  if (stopResult === undefined) return webMessage('stop-not-sent');
  return stopResult === 'unconfirmed' ? webMessage('stop-not-confirmed') : undefined;
}

function noteStop(req: Request, carts: readonly StoppedCart[]): void {
  if (carts.length === 0) return;
  req.stopResult = carts.every(({ confirmed }) => confirmed) ? 'confirmed' : 'unconfirmed';
}

/** Sends JSON. Logs an unexpected error, because the response does not contain its message. */
export function sendMalformedStop(req: Request, res: Response, { fault, carts, log }: MalformedStop): void {
  logUnexpected(log, req, fault);
  const failure = failureOf(fault);
  setFailureStatus(res, failure);
  res.json({ success: false, stopped: confirmedIds(carts), carts, ...failure.body });
}

/** Returns the error with a hint that names the carts that have stopped, or those that have not confirmed the stop. */
export function withStoppedCarts(fault: unknown, carts: StoppedCart[]): unknown {
  const { body } = failureOf(fault);
  if (body.code === 'INTERNAL') return fault;
  const missing = carts.filter(({ confirmed }) => !confirmed);
  const hint =
    missing.length > 0
      ? cartMessage('stop-unconfirmed', { carts: cartLabels(missing) })
      : cartMessage('stopped-nevertheless', { carts: cartLabels(carts) });
  const { error: _title, message, code, ...info } = body;
  return new GatewayError(code, message, { ...info, hint });
}

/**
 * Returns the numbers of the carts that have confirmed the stop. If several gateways use a number, all of them must
 * have confirmed.
 */
function confirmedIds(carts: readonly StoppedCart[]): number[] {
  const missing = new Set(carts.filter(({ confirmed }) => !confirmed).map(({ cartID }) => cartID));
  return [...new Set(carts.map(({ cartID }) => cartID))].filter((cartID) => !missing.has(cartID));
}

/**
 * Returns the error for unconfirmed stops. For one cart, the error has that cart's reason and code; for several
 * carts, the error lists the carts.
 */
function unconfirmed(first: StoppedCart, missing: readonly StoppedCart[]): GatewayError {
  const isOne = missing.length === 1;
  const carts = cartLabels(missing);
  const { reason } = first;
  const text =
    isOne && reason
      ? cartMessage('stop-unconfirmed-why', { carts, reason })
      : cartMessage('stop-unconfirmed', { carts });
  const code = isOne ? (first.code ?? 'STOP_UNCONFIRMED') : 'STOP_UNCONFIRMED';
  return new GatewayError(code, text, { hint: cartMessage('stop-unconfirmed-hint') });
}

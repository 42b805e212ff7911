import express, { type RequestHandler } from 'express';
import { baseUrlOf } from '../../http/guard/origin.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import { readClientKey, requireValue } from '../check.js';
import { shopMessage } from '../messages.js';
import { type PaymentRow, payableUrl } from '../rows.js';
import type { Shop } from '../shop.js';
import { shopApi } from './openapi.js';
import { type PrincipalOf, requireLogin, requireOwner } from './principal.js';
import { type ErrorShape, paymentView, specErrors } from './responses.js';

const MAX_PAGE = 200;

export interface ShopRoutesDeps {
  shop: Shop;
  principalOf: PrincipalOf;
  /** The gateway's public origin. Default: the request's origin. */
  publicUrl?: string | undefined;
  log: Log;
}

export function paymentRoutes(deps: ShopRoutesDeps): DeclaredRouter {
  const router = routerOf(shopApi);
  const spec = (shape: ErrorShape) => specErrors(shape, deps.log);
  const { create, list, transaction, status, checkout, setStatus } = handlers(deps);
  router.on('POST /payments', create, spec('payment'));
  router.on('GET /payments', list);
  router.on('GET /payments/transaction/:orderId', transaction, spec('plain'));
  router.on('GET /payments/:transactionId/status', status, spec('plain'));
  router.on('GET /payments/:orderId/transaction', transaction, spec('plain'));
  router.on('GET /payments/:transactionId/checkout', checkout);
  router.on('PATCH /payments/updateStatus/:status/:orderId', setStatus, spec('plain'));
  const incomplete: RequestHandler = () => {
    throw new GatewayError('INVALID_INPUT', 'the path must contain status and orderId');
  };
  router.on('PATCH /payments/updateStatus', incomplete, spec('plain'));
  router.on('PATCH /payments/updateStatus/:status', incomplete, spec('plain'));
  router.on('PATCH /payments/updateStatus//:orderId', incomplete, spec('plain'));
  return router;
}

function handlers({ shop, principalOf, publicUrl }: ShopRoutesDeps) {
  const { payments, reads } = shop;
  const create: RequestHandler = async (req, res) => {
    const principal = principalOf(req);
    requireLogin(principal);
    const base = publicUrl ?? baseUrlOf(req);
    const row = await payments.create({
      userId: principal.userId,
      caller: principal.caller,
      amountMinor: requireValue(req.body),
      clientKey: readClientKey(req.get('idempotency-key')),
      returnUrl: `${base}/shop?order=`,
    });
    const { transactionId, orderId } = row;
    res.status(201).json({ transactionId, orderId, checkoutUrl: checkoutUrlOf(row, base) });
  };
  const list: RequestHandler = (req, res) => {
    const limit = wholeNumber(req.query.limit, 'limit', MAX_PAGE) ?? 50;
    const rows = reads.newest(limit, wholeNumber(req.query.before, 'before', Number.MAX_SAFE_INTEGER));
    res.json(rows.map((row) => paymentView(row, reads.events(row.transactionId))));
  };
  const transaction: RequestHandler<{ orderId: string }> = (req, res) => {
    const row = payments.findByOrder(req.params.orderId);
    requireOwner(principalOf(req), row.userId);
    res.json({ transactionId: row.transactionId });
  };
  const status: RequestHandler<{ transactionId: string }> = async (req, res) => {
    const row = payments.find(req.params.transactionId);
    requireOwner(principalOf(req), row.userId);
    res.json({ status: await payments.status(row) });
  };
  const checkout: RequestHandler<{ transactionId: string }> = async (req, res) => {
    const stored = payments.find(req.params.transactionId);
    requireOwner(principalOf(req), stored.userId);
    const row = await payments.refreshed(stored);
    const url = checkoutUrlOf(row, publicUrl ?? baseUrlOf(req));
    if (url === null) {
      const isProcessing = row.status === 'pending' && row.delayed === 'processing';
      throw new GatewayError(
        'CONFLICT',
        isProcessing
          ? shopMessage('being-processed')
          : shopMessage('nothing-to-pay', { state: shopMessage(`state.${row.status}`) }),
      );
    }
    res.redirect(303, url);
  };
  const setStatus: RequestHandler<{ status: string; orderId: string }> = async (req, res) => {
    const { orderId, status: target } = req.params;
    res.json({ success: await payments.setStatus(orderId, target, principalOf(req).actor) });
  };
  return { create, list, transaction, status, checkout, setStatus };
}

/** Returns the absolute URL of the checkout page, or null if nothing is left to pay there. */
function checkoutUrlOf(row: PaymentRow, base: string): string | null {
  const checkoutUrl = payableUrl(row);
  return checkoutUrl?.startsWith('/') ? `${base}${checkoutUrl}` : checkoutUrl;
}

function wholeNumber(value: unknown, field: string, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= max) return number;
  throw new GatewayError('INVALID_INPUT', `${field} must be a whole number from 1 to ${max}`, { field });
}

/**
 * Verifies the signature over the raw bytes and stores each event once. The response does not reveal whether
 * the payment exists.
 */
export function webhookRoutes({ shop }: ShopRoutesDeps): DeclaredRouter {
  const router = routerOf(shopApi);
  const raw = express.raw({
    limit: shopApi.routes['POST /webhooks/:provider'].body.maxBytes,
    type: () => true,
    // The signature covers the bytes that were sent, so a compressed body must not be inflated.
    inflate: false,
  });
  router.onRawBody('POST /webhooks/:provider', raw, async (req, res) => {
    const { provider, payments } = shop;
    if (req.params.provider !== provider.name || !provider.readHint) {
      throw new GatewayError('NOT_FOUND', 'this gateway does not accept webhooks from this provider');
    }
    const body: unknown = req.body;
    const hint = await provider.readHint(Buffer.isBuffer(body) ? body : Buffer.alloc(0), req.headers);
    await payments.handleHint(hint);
    res.json({ received: true });
  });
  return router;
}

import express, { type Request, type RequestHandler, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/ports.js';
import { readBody } from '../../web/server/bodies.js';
import { shopMessage } from '../messages.js';
import { readClientKey, requireValue } from '../orders/check.js';
import type { PaymentRow } from '../rows.js';
import type { Shop } from '../shop.js';
import { type ErrorShape, paymentView, specErrors } from './answers.js';
import { shopApi } from './openapi.js';
import { type PrincipalOf, requireKnown, requireOwner } from './principal.js';

const { routes } = shopApi;

const MAX_PAGE = 200;

export interface ShopRoutesDeps {
  shop: Shop;
  principalOf: PrincipalOf;
  /** Where buyers reach this gateway; left out: as the request was addressed. */
  publicUrl?: string;
  log: Log;
}

/** Payments: made, asked about, followed to their hosted page, set by hand. */
export function paymentRoutes(deps: ShopRoutesDeps): Router {
  const router = Router();
  const spec = (shape: ErrorShape) => specErrors(shape, deps.log);
  const { create, list, transaction, status, checkout, setStatus } = handlers(deps);
  router.post('/payments', ...readBody(routes['POST /payments']), create, spec('payment'));
  router.get('/payments', list);
  // Before `/:transactionId/status`, which the order id "status" would match.
  router.get('/payments/transaction/:orderId', transaction, spec('plain'));
  router.get('/payments/:transactionId/status', status, spec('plain'));
  router.get('/payments/:orderId/transaction', transaction, spec('plain'));
  router.get('/payments/:transactionId/checkout', checkout);
  router.patch('/payments/updateStatus/:status/:orderId', setStatus, spec('plain'));
  for (const rest of ['', '/:status', '//:orderId']) {
    router.patch(
      `/payments/updateStatus${rest}`,
      () => {
        throw new GatewayError('INVALID_INPUT', 'status and orderId are needed in the address');
      },
      spec('plain'),
    );
  }
  return router;
}

function handlers({ shop, principalOf, publicUrl }: ShopRoutesDeps) {
  const { payments, reads } = shop;
  const create: RequestHandler = async (req, res) => {
    const principal = principalOf(req);
    requireKnown(principal);
    const base = publicUrl ?? addressOf(req);
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
  const checkout: RequestHandler<{ transactionId: string }> = (req, res) => {
    const row = payments.find(req.params.transactionId);
    requireOwner(principalOf(req), row.userId);
    const url = checkoutUrlOf(row, publicUrl ?? addressOf(req));
    if (row.status !== 'pending' || url === null) {
      throw new GatewayError('CONFLICT', shopMessage('nothing-to-pay', { state: row.status }));
    }
    res.redirect(303, url);
  };
  const setStatus: RequestHandler<{ status: string; orderId: string }> = async (req, res) => {
    const { orderId, status: word } = req.params;
    res.json({ success: await payments.setStatus(orderId, word, principalOf(req).name) });
  };
  return { create, list, transaction, status, checkout, setStatus };
}

/** As the browser or client addressed this gateway. */
export function addressOf(req: Request): string {
  return `${req.protocol}://${req.headers.host ?? 'localhost'}`;
}

/** The hosted page; a path is a page of this gateway. Null when there is none. */
function checkoutUrlOf({ checkoutUrl }: PaymentRow, base: string): string | null {
  return checkoutUrl?.startsWith('/') ? `${base}${checkoutUrl}` : checkoutUrl;
}

function wholeNumber(value: unknown, field: string, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= most) return number;
  throw new GatewayError('INVALID_INPUT', `${field} must be a whole number from 1 to ${most}`, { field });
}

/**
 * `POST /webhooks/:provider`: checked over the raw bytes, kept once, answered at once. What it says is not believed: the
 * payment is read from the provider. Payments that are not ours get the same answer as those that are.
 */
export function webhookRoutes({ shop }: ShopRoutesDeps): Router {
  const router = Router();
  const raw = express.raw({
    limit: shopApi.routes['POST /webhooks/:provider'].body.maxBytes,
    type: () => true,
  });
  router.post('/webhooks/:provider', raw, async (req, res) => {
    const { provider, payments } = shop;
    if (req.params.provider !== provider.name || !provider.readHint) {
      throw new GatewayError('NOT_FOUND', 'this gateway takes no such webhooks');
    }
    const body: unknown = req.body;
    const hint = await provider.readHint(Buffer.isBuffer(body) ? body : Buffer.alloc(0), req.headers);
    await payments.heed(hint);
    res.json({ received: true });
  });
  return router;
}

import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { noticeText } from '../../console/layout/context.js';
import { type LayoutData, layoutContext } from '../../console/layout/layout-context.js';
import { basketContext, orderLine, orderNotice, priceText } from '../../console/shop/context.js';
import { failureOf, wantsHtml } from '../../http/errors.js';
import { originOf } from '../../http/guard/origin.js';
import { inLanguageOf } from '../../http/language.js';
import type { Notice } from '../../http/pages.js';
import { readBody } from '../../http/server/bodies.js';
import { type DeclaredRouter, declaredRouter } from '../../http/server/declared-router.js';
import { upperFirst } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { shopMessage } from '../messages.js';
import { type PaymentRow, payableUrl } from '../rows.js';
import { shopPagesApi } from './openapi.js';
import type { ShopRoutesDeps } from './payment-routes.js';
import { requireLogin } from './principal.js';
import { DISABLED_CODES } from './responses.js';

const { routes } = shopPagesApi;

export interface ShopPagesDeps extends ShopRoutesDeps {
  layout: (req: Request) => LayoutData;
  render: (page: string, context: object) => string;
  clock: Clock;
}

const MAX_ORDERS = 20;

export function shopPages(deps: ShopPagesDeps): DeclaredRouter {
  const router = declaredRouter();
  router.get('/shop', async (req, res) => {
    const { userId } = deps.principalOf(req);
    const { order } = req.query;
    const returned = typeof order === 'string' ? await refreshOrder(deps, order, userId) : undefined;
    res
      .type('html')
      .send(inLanguageOf(req, () => deps.render('shop/shop', shopContext(deps, req, returned))));
  });
  router.post('/shop/basket', ...readBody(routes['POST /shop/basket']), changeBasket(deps));
  router.post('/shop/checkout', ...readBody(routes['POST /shop/checkout']), checkout(deps));
  return router;
}

function changeBasket({ shop, principalOf }: ShopPagesDeps): RequestHandler {
  return async (req, res) => {
    const form: unknown = req.body;
    const { game_id, quantity } = isJsonObject(form) ? form : {};
    const change = {
      game_id: Number(game_id),
      ...(quantity === undefined ? {} : { quantity: Number(quantity) }),
    };
    await shop.orders.changeBasket(requireUser(principalOf(req).userId), change);
    res.redirect(303, '/shop#basket');
  };
}

/** The form's nonce is the idempotency key, so a repeated submission creates only one payment. */
function checkout(deps: ShopPagesDeps): RequestHandler {
  const { shop, principalOf, publicUrl } = deps;
  return async (req, res) => {
    const form: unknown = req.body;
    const nonce = isJsonObject(form) ? String(form.nonce) : '';
    if (!/^[\w-]{36}$/.test(nonce)) {
      throw new GatewayError('INVALID_INPUT', shopMessage('form-incomplete'), {
        field: 'nonce',
      });
    }
    const { userId, caller } = principalOf(req);
    let payment: PaymentRow;
    try {
      payment = await shop.payments.create({
        userId: requireUser(userId),
        caller,
        amountMinor: 'basket',
        clientKey: `form:${nonce}`,
        returnUrl: `${publicUrl ?? originOf(req)}/shop?order=`,
      });
    } catch (error) {
      const { status, body } = failureOf(error);
      // The page itself states that payments are disabled.
      const isDisabled = DISABLED_CODES.includes(body.code);
      const notice = wantsHtml(req) && !isDisabled ? creationNotice(error) : undefined;
      if (!notice && !(isDisabled && wantsHtml(req))) throw error;
      const context = (): object => ({
        ...shopContext(deps, req, undefined),
        notice: notice ? noticeText(notice) : null,
      });
      return void res
        .status(status)
        .type('html')
        .send(inLanguageOf(req, () => deps.render('shop/shop', context())));
    }
    // The `form-action` directive forbids a redirect to another origin.
    const checkoutUrl = payableUrl(payment);
    res.redirect(303, checkoutUrl?.startsWith('/') ? checkoutUrl : `/shop?order=${payment.orderId}`);
  };
}

/** Returns the notice for a payment that the provider has not created; undefined for any other error. */
function creationNotice(error: unknown): Notice | undefined {
  if (!(error instanceof GatewayError)) return undefined;
  const isAmount = error.code === 'INVALID_INPUT' && error.info.field === 'value';
  if (!isAmount && error.code !== 'LOGIN_FAILED') return undefined;
  return {
    ok: false,
    title: shopMessage('payment-not-created'),
    message: shopMessage(isAmount ? 'amount-not-accepted' : 'provider-unavailable'),
    hint: shopMessage(isAmount ? 'amount-not-accepted-hint' : 'provider-unavailable-hint'),
  };
}

function disabledNotice(reason: GatewayError | undefined, isAdmin: boolean): object | null {
  if (!reason) return null;
  const { hint } = reason.info;
  return {
    text: upperFirst(translated(reason.text)),
    hint: hint === undefined ? '' : translated(hint),
    systemHref: isAdmin && reason.code === 'PAYMENTS_OFF' ? '/system#backups' : '',
  };
}

/** @param returned the payment from whose checkout page the buyer has returned. */
function shopContext(
  { shop, principalOf, layout }: ShopPagesDeps,
  req: Request,
  returned: PaymentRow | undefined,
): object {
  const principal = principalOf(req);
  requireLogin(principal);
  const { userId, role } = principal;
  const games = shop.catalogue
    .games()
    .map(({ id, title, price, currency }) => ({ id, title, price: priceText(price, currency) }));
  const lines = userId === null ? [] : shop.orders.newest(200, userId);
  const payments = userId === null ? [] : shop.reads.ofUser(userId, MAX_ORDERS);
  const orders = payments.map((payment) =>
    orderLine(
      payment,
      lines.filter(({ orderId }) => orderId === payment.orderId),
    ),
  );
  return {
    ...layoutContext(layout(req), { page: 'shop' }),
    isOperator: role !== 'customer',
    mayBuy: userId !== null,
    isSandbox: shop.provider.name === 'sandbox',
    notice: returned ? orderNotice(returned) : null,
    games,
    hasGames: games.length > 0,
    orders,
    hasOrders: orders.length > 0,
    disabled: disabledNotice(shop.payments.disabledReason, role === 'admin'),
    basket: userId === null ? null : basketContext(shop.orders.basket(userId)),
    nonce: randomUUID(),
  };
}

/** Returns the user's payment for an order, with the provider's status. */
async function refreshOrder(
  { shop }: ShopPagesDeps,
  orderId: string,
  userId: number | null,
): Promise<PaymentRow | undefined> {
  const row = shop.reads.byOrder(orderId);
  return row?.userId === userId ? await shop.payments.refreshed(row) : undefined;
}

function requireUser(userId: number | null): number {
  if (userId !== null) return userId;
  throw new GatewayError('FORBIDDEN', shopMessage('basket-of-person'));
}

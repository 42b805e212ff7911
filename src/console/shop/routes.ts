import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { failureOf, failureOnPage, wantsPage } from '../../http/errors.js';
import { baseUrlOf } from '../../http/guard/origin.js';
import { declarePage, type Notice, sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { GatewayError } from '../../shared/errors.js';
import type { SandboxCheckouts, SandboxChoice, SandboxView } from '../../shared/ports/payments.js';
import { isJsonObject } from '../../shared/validation/json.js';
import {
  DISABLED_CODES,
  type PaymentRow,
  payableUrl,
  requireLogin,
  type ShopRoutesDeps,
  shopMessage,
  shopPagesApi,
} from '../../shop/index.js';
import type { AddPage } from '../layout/drawings.js';
import { checkoutContext, localPath, type ShopPage, shopContext } from './context.js';
import { recordsContext, recordsPage, recordsRoutes } from './records.js';

const shopPage = declarePage<ShopPage>('Shop');
const checkoutPage = declarePage<SandboxView>('Pay');

export function addShopPages(add: AddPage): void {
  add(shopPage, 'shop/shop', shopContext);
  add(recordsPage, 'shop/admin', recordsContext);
  add(checkoutPage, 'shop/checkout', checkoutContext);
}

export interface ShopPagesDeps extends ShopRoutesDeps {
  sandbox?: SandboxCheckouts | undefined;
}

const MAX_LINES = 200;
const MAX_ORDERS = 20;

export function shopPageRoutes(deps: ShopPagesDeps): DeclaredRouter {
  const router = routerOf(shopPagesApi);
  router.on('GET /shop', async (req, res) => {
    const { userId } = deps.principalOf(req);
    const { order } = req.query;
    const returned = typeof order === 'string' ? await refreshOrder(deps, order, userId) : undefined;
    await sendPage(req, res, shopPage, { ...shopPageOf(deps, req), returned });
  });
  router.on('POST /shop/basket', changeBasket(deps));
  router.on('POST /shop/checkout', checkout(deps));
  router.use(recordsRoutes(deps));
  if (deps.sandbox) router.use(sandboxRoutes(deps, deps.sandbox));
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

/**
 * Creates a payment from the checkout form. The form's nonce is the idempotency key, so a repeated submission creates
 * only one payment.
 */
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
        returnUrl: `${publicUrl ?? baseUrlOf(req)}/shop?order=`,
      });
    } catch (error) {
      if (!wantsPage(req)) throw error;
      // If payments are disabled, no notice is needed, because the page itself states this.
      const isDisabled = DISABLED_CODES.includes(failureOf(error).body.code);
      const notice = isDisabled ? undefined : creationNotice(error);
      if (!notice && !isDisabled) throw error;
      failureOnPage(res, error);
      return await sendPage(req, res, shopPage, { ...shopPageOf(deps, req), notice });
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

function shopPageOf({ shop, principalOf }: ShopPagesDeps, req: Request): ShopPage {
  const principal = principalOf(req);
  requireLogin(principal);
  const { userId, role } = principal;
  return {
    role,
    games: shop.catalogue.games(),
    payments: userId === null ? [] : shop.reads.ofUser(userId, MAX_ORDERS),
    lines: userId === null ? [] : shop.orders.newest(MAX_LINES, userId),
    basket: userId === null ? undefined : shop.orders.basket(userId),
    isSandbox: shop.provider.name === 'sandbox',
    disabledReason: shop.payments.disabledReason,
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

const CHOICES: readonly SandboxChoice[] = ['pay', 'decline', 'cancel'];

/** Serves the sandbox's checkout page. As with a real provider, anyone who has the link can pay. */
function sandboxRoutes({ shop }: ShopPagesDeps, sandbox: SandboxCheckouts): DeclaredRouter {
  const router = routerOf(shopPagesApi);
  router.on('GET /sandbox/:ref', async (req, res) => {
    const view = sandbox.view(req.params.ref);
    if (!view) throw new GatewayError('NOT_FOUND', 'the sandbox has no such payment');
    await sendPage(req, res, checkoutPage, view);
  });
  const choose: RequestHandler<{ ref: string }> = async (req, res) => {
    const form: unknown = req.body;
    const choice = CHOICES.find((each) => isJsonObject(form) && form.choice === each);
    if (!choice) {
      throw new GatewayError('INVALID_INPUT', `choice must be one of ${CHOICES.join(', ')}`, {
        field: 'choice',
      });
    }
    const { ref, returnUrl } = await sandbox.choose(req.params.ref, choice);
    await shop.payments.handleChoice(ref, choice);
    res.redirect(303, choice === 'decline' ? `/sandbox/${ref}` : localPath(returnUrl));
  };
  router.on('POST /sandbox/:ref', choose);
  return router;
}

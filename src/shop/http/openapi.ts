import * as t from '../../http/openapi/schema-helpers.js';
import type { Game } from '../catalogue/catalogue.js';
import type { Basket, BasketItem, TitleCount } from '../orders/orders.js';
import type { PaymentEvent } from '../rows.js';
import { basketItemSchema, gamePatchSchema, gameSchema, orderSchema, paymentSchema } from '../schema.js';
import type { PaymentView } from './responses.js';

const catalogue = t.access({ need: 'operator', scopes: ['games:write'] });
const READ = ['payments:read', 'payments:admin'];
const read = t.access({ need: 'session', scopes: READ });
const audit = t.access({ need: 'operator', scopes: READ });
const statistics = t.access({ need: 'session', scopes: ['orders:read'] });
const write = t.access({ need: 'session', scopes: ['payments:write', 'payments:admin'] });
/** These routes confirm payments, so they require a login even on a trusted network. */
const accounting = t.access({ need: 'operator', scopes: ['payments:admin'], lan: false });

const price = { ...t.number, description: 'Decimal, in `currency`' };
const game = t.record<Game>({
  id: t.whole,
  ...t.each(t.text, 'title', 'currency'),
  price,
  sku: t.orNull(t.text),
  active: t.flag,
});
const item = t.record<BasketItem>({
  ...t.each(t.whole, 'game_id', 'quantity'),
  ...t.each(t.text, 'title', 'currency'),
  price,
  active: t.flag,
});
const basket = t.record<Basket>({ userId: t.whole, items: t.listOf(item), total: price, currency: t.text });

const status = t.oneOf(['pending', 'completed', 'failed']);
const event = t.record<Omit<PaymentEvent, 'transactionId' | 'facts'>>({
  id: t.whole,
  source: t.oneOf(['local', 'provider', 'webhook', 'manual', 'reconcile']),
  fromStatus: t.orNull(status),
  toStatus: status,
  conflict: t.flag,
  at: t.since1970,
  ...t.each(t.orNull(t.text), 'actor', 'detail'),
});

const payment = t.record<PaymentView>({
  seq: t.whole,
  transactionId: t.uuid,
  userId: t.orNull(t.whole),
  value: t.number,
  ...t.each(t.text, 'orderId', 'currency', 'provider'),
  status,
  statusSource: t.oneOf(['local', 'provider', 'manual']),
  providerStatus: t.orNull(status),
  processing: {
    ...t.flag,
    description: 'True while the provider processes a delayed payment; `status` is then `pending`',
  },
  ...t.each(t.orNull(t.text), 'providerRef', 'paidCurrency', 'lastError'),
  paid: { ...t.orNull(t.number), description: 'Amount that the provider collected, in `paidCurrency`' },
  refunded: { ...t.number, description: 'Refunded amount, in `paidCurrency`' },
  disputed: { ...t.number, description: 'Amount of the open disputes, in `paidCurrency`' },
  lostInDisputes: { ...t.number, description: 'Amount of the lost disputes, in `paidCurrency`' },
  settlement: {
    ...t.orNull(t.oneOf(['settled', 'underpaid', 'mismatch'])),
    description:
      'Result of comparing the paid amount, less refunds and lost disputes, with the order lines; null if the payment is not completed or the order has no lines',
  },
  intentState: t.oneOf(['creating', 'created', 'abandoned']),
  createdAt: t.since1970,
  events: t.listOf(event),
});

const SHOP_SCHEMAS = {
  Game: game,
  Basket: basket,
  Payment: payment,
  TitleCount: t.record<TitleCount>({ title: t.text, orderCount: t.whole }),
  PlainError: t.exact({ error: t.text }),
  NamedError: t.exact(t.each(t.text, 'error', 'message', 'code')),
};

/** The error body `{error}`, which the specification requires on most shop routes. */
const plain = t.jsonOf('PlainError');
const plainBoth = { 400: plain, 500: plain };

const GAME: Game = { id: 1, title: 'Beacon Hunt', price: 9.99, currency: 'EUR', sku: 'CW-002', active: true };
const TRANSACTION = '6f1c7e0a-52d4-4b7a-9a53-0c4f0c0d9b11';
const ORDER = 'ORD-7K2M9Q4T';
const oneGame = { ok: t.jsonOf('Game', GAME) };
const oneBasket = { ok: t.jsonOf('Basket') };
const missing = accounting('Rejects a path without a status or an order ID', {
  answers: { 400: plain },
  fails: [],
});
const transactionOf = read('Returns the transaction ID for an order', {
  ok: t.json(t.exact({ transactionId: t.uuid }), { transactionId: TRANSACTION }),
  answers: plainBoth,
});

const shopChapter = {
  name: 'Shop',
  description: 'Games, baskets, payments and orders.',
  schemas: SHOP_SCHEMAS,
  path: { ...t.each(t.whole, 'gameId', 'user_id'), transactionId: t.uuid },
};
export const shopApi = t.api(shopChapter, {
  'GET /games': t.anyone('Lists the games for sale, sorted by title', { ok: t.jsonListOf('Game', [GAME]) }),
  'POST /games': catalogue('Adds a game', {
    body: t.jsonBody(gameSchema, { title: 'Beacon Hunt', price: 9.99, sku: 'CW-002' }),
    created: t.jsonOf('Game', GAME),
    fails: [409],
  }),
  'PATCH /games/:gameId': catalogue('Changes a game', {
    ...oneGame,
    body: t.jsonBody(gamePatchSchema, { price: 7.99 }),
    fails: [404, 409],
  }),
  'DELETE /games/:gameId': catalogue('Removes a game from the catalogue and from every basket', oneGame),
  'POST /payments': write('Creates a payment', {
    description:
      'A request with the same `Idempotency-Key` and `value` as an earlier request returns the same payment.',
    headers: { 'Idempotency-Key': { description: '1 to 200 visible ASCII characters' } },
    body: t.jsonBody(paymentSchema, { value: 19.99 }),
    answers: {
      201: t.json(
        t.exact({
          transactionId: t.uuid,
          orderId: t.text,
          checkoutUrl: {
            ...t.orNull(t.text),
            description: 'URL of the checkout page; null if nothing remains to be paid',
          },
        }),
        { transactionId: TRANSACTION, orderId: ORDER, checkoutUrl: 'http://localhost:3000/sandbox/abc' },
      ),
      400: { description: '`INVALID_INPUT`', ...t.jsonOf('NamedError') },
      500: { description: '`LOGIN_FAILED`', ...t.jsonOf('NamedError') },
    },
    fails: [409, 422, 429],
  }),
  'GET /payments': audit('Lists payments and their events, newest payment first', {
    query: {
      limit: { ...t.between(1, 200), description: 'Default: 50' },
      before: { ...t.between(1), description: 'Returns only payments with a lower `seq`' },
    },
    ok: t.jsonListOf('Payment'),
    fails: [400],
  }),
  'POST /payments/cart/:user_id': write('Adds a game to a basket or changes its quantity', {
    ...oneBasket,
    body: t.jsonBody(basketItemSchema, { game_id: 1, quantity: 1 }),
    fails: [404, 409],
  }),
  'DELETE /payments/cart/:user_id': write('Empties a basket', { ok: t.done, answers: plainBoth, fails: [] }),
  'GET /payments/cart/:user_id': read("Returns a user's basket", { ...oneBasket, fails: [] }),
  'GET /payments/:transactionId/status': read("Returns a payment's status, read from the provider", {
    ok: t.json(t.exact({ status }), { status: 'pending' }),
    answers: plainBoth,
  }),
  'GET /payments/:transactionId/checkout': read('Redirects to the checkout page', {
    redirect: 'Redirect to the checkout page',
    fails: [404, 409],
  }),
  'GET /payments/transaction/:orderId': transactionOf,
  'GET /payments/:orderId/transaction': transactionOf,
  'PATCH /payments/updateStatus/:status/:orderId': accounting("Sets a payment's status manually", {
    path: { status },
    ok: t.json(t.exact({ success: t.flag }), { success: true }),
    answers: plainBoth,
    fails: [404, 409],
  }),
  'PATCH /payments/updateStatus/:status': missing,
  'PATCH /payments/updateStatus//:orderId': missing,
  'PATCH /payments/updateStatus': missing,
  'POST /payments/order': write('Adds a game to an order', {
    description:
      "Lines can be added to an order even after it has been paid, but only for one customer. The response is 403 if the payment belongs to another customer, and 409 if the game's price is in a different currency. A line is marked as paid once the amount paid covers it and all earlier lines of the order.",
    body: t.jsonBody(orderSchema, { orderId: ORDER, userId: 2, game_id: 1 }),
    answers: {
      201: t.json(t.success({ message: t.text }), {
        success: true,
        message: `Game 1 was added to order ${ORDER}.`,
      }),
      400: plain,
      500: t.json(t.exact({ success: { const: false }, error: t.text })),
    },
    fails: [404, 409, 429],
  }),
  'GET /orders/stats': statistics('Returns the number of orders for each game, highest number first', {
    ok: t.jsonListOf('TitleCount', [{ title: 'Beacon Hunt', orderCount: 3 }]),
    answers: { 500: plain },
  }),
  'POST /webhooks/:provider': t.anyone('Receives signed notifications from the payment provider', {
    body: { ...t.jsonBody({}, undefined, 64), required: false },
    ok: t.json(t.exact({ received: t.yes }), { received: true }),
  }),
});

const shopPagesChapter = {
  name: 'Shop pages',
  description: 'Shop and checkout pages.',
  path: { gameId: t.whole },
};
export const shopPagesApi = t.api(shopPagesChapter, {
  'GET /shop': t.user("Shows the catalogue, the basket and the user's orders", {
    query: { order: { description: 'ID of the order whose status is shown' } },
    ok: t.page,
  }),
  'POST /shop/basket': t.user('Changes the basket', {
    body: t.pageForm(t.open(['game_id'], t.each(t.whole, 'game_id', 'quantity'))),
    redirect: 'Back to the shop',
    fails: [404, 409],
  }),
  'POST /shop/checkout': t.user('Checks out the basket', {
    body: t.pageForm(t.open(['nonce'], { nonce: t.text })),
    redirect: 'Redirect to the checkout page',
    fails: [409, 422, 429],
  }),
  'GET /shop/admin': t.operator('Shows games, payments, orders and statistics', { ok: t.page }),
  'POST /shop/admin/games/:gameId': t.operator('Changes a game', {
    body: t.pageForm(
      t.open(['title', 'price'], { title: t.text, price: t.number, active: t.text, opened: t.text }),
    ),
    redirect: 'Back to the records',
    answers: { 412: t.page },
    fails: [404],
  }),
  'GET /sandbox/:ref': t.anyone('Shows the sandbox checkout page', { ok: t.page }),
  'POST /sandbox/:ref': t.anyone('Pays, declines or cancels a sandbox payment', {
    body: t.pageForm(t.open(['choice'], { choice: t.oneOf(['pay', 'decline', 'cancel']) }), undefined, 1),
    redirect: 'Back to the shop',
    fails: [404, 409],
  }),
});

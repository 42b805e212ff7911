import { GatewayError, never } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Statement } from '../../shared/ports/database.js';
import type { Store } from '../../shared/ports/store.js';
import { requireBasketItem } from '../check.js';
import { shopMessage } from '../messages.js';
import { limitError } from '../payments/errors.js';
import { toDecimal } from '../payments/money.js';
import type { BasketRow, OrderRow } from '../rows.js';
import type { OrderInput } from '../schema.js';
import type { BasketChange, ChangeResult } from './basket-writes.js';
import { MAX_UNPAID_LINES } from './customer-limits.js';
import type { OrderRequest } from './order-writes.js';

export interface BasketItem {
  game_id: number;
  title: string;
  quantity: number;
  /** Unit price as a decimal amount. */
  price: number;
  currency: string;
  active: boolean;
}

export interface Basket {
  userId: number;
  items: BasketItem[];
  total: number;
  currency: string;
}

export interface TitleCount {
  title: string;
  /** Number of order lines, paid or not. */
  orderCount: number;
}

/** Uses only the index, so that counting 100,000 orders takes only milliseconds. */
export const STATS = `
  WITH counted AS MATERIALIZED (
    SELECT title, (SELECT count(*) FROM orders WHERE game_id = games.id) AS n FROM games WHERE active = 1)
  SELECT title, sum(n) AS orderCount FROM counted GROUP BY title ORDER BY orderCount DESC, title`;
const BASKET = `
  SELECT game_id AS gameId, title, quantity, price_minor AS priceMinor, currency, active
  FROM cart_items JOIN games ON games.id = game_id WHERE user_id = @userId ORDER BY title, game_id`;
const LINES = `
  SELECT orders.id, orders.order_id AS orderId, orders.user_id AS userId, game_id AS gameId, title, quantity,
    paid_at AS paidAt, orders.created_at AS createdAt, transaction_id AS transactionId, status,
    settlement, orders.price_minor AS priceMinor, orders.currency
  FROM orders JOIN games ON games.id = game_id LEFT JOIN payments ON payments.order_id = orders.order_id`;
const OF_USER = `${LINES} WHERE orders.user_id = @userId ORDER BY orders.id DESC LIMIT @limit`;
const OF_ORDER = `${LINES} WHERE orders.order_id = @orderId ORDER BY orders.id LIMIT @limit`;
const NEWEST = `${LINES} ORDER BY orders.id DESC LIMIT @limit`;

export class Orders {
  readonly #o: { store: Store; clock: Clock; currency: string };
  readonly #stats: Statement<TitleCount>;
  readonly #basket: Statement<BasketRow>;
  readonly #ofUser: Statement<OrderRow>;
  readonly #ofOrder: Statement<OrderRow>;
  readonly #newest: Statement<OrderRow>;

  constructor(o: { store: Store; clock: Clock; currency: string }) {
    this.#o = o;
    const { read } = o.store;
    this.#stats = read.prepare(STATS);
    this.#basket = read.prepare(BASKET);
    this.#ofUser = read.prepare(OF_USER);
    this.#ofOrder = read.prepare(OF_ORDER);
    this.#newest = read.prepare(NEWEST);
  }

  /** Returns all titles for sale, including titles that have no orders; most ordered first. */
  stats(): TitleCount[] {
    return this.#stats.all();
  }

  newest(limit: number, userId?: number): OrderRow[] {
    return userId === undefined ? this.#newest.all({ limit }) : this.#ofUser.all({ limit, userId });
  }

  /** Returns an order's lines, oldest first. */
  linesOf(orderId: string, limit: number): OrderRow[] {
    return this.#ofOrder.all({ orderId, limit });
  }

  basket(userId: number): Basket {
    const rows = this.#basket.all({ userId });
    const totalMinor = rows.reduce((sum, { quantity, priceMinor }) => sum + quantity * priceMinor, 0);
    const items = rows.map(toItem);
    return { userId, items, total: toDecimal(totalMinor), currency: this.#o.currency };
  }

  /** Sets a game's quantity; 0 removes the game. Rejects with `INVALID_INPUT`, `NOT_FOUND` or `CONFLICT`. */
  async changeBasket(userId: number, body: unknown): Promise<Basket> {
    const { game_id: gameId, quantity = null } = requireBasketItem(body);
    const { store, clock, currency } = this.#o;
    const request: BasketChange = { userId, gameId, quantity, currency, at: Math.trunc(clock.wallTime()) };
    requireDone(await store.write<ChangeResult>('shop.changeBasket', request), userId, gameId);
    return this.basket(userId);
  }

  async emptyBasket(userId: number): Promise<void> {
    await this.#o.store.write('shop.emptyBasket', { userId });
  }

  /**
   * Adding an existing line changes nothing. Rejects with `NOT_FOUND`, `FORBIDDEN` (another customer's
   * payment), `CONFLICT` (different currency) or `RATE` (too many unpaid lines).
   */
  async place({ orderId, userId, game_id: gameId }: OrderInput, isStaff: boolean): Promise<void> {
    const at = Math.trunc(this.#o.clock.wallTime());
    const request: OrderRequest = { orderId, userId, gameId, isStaff, at };
    requireDone(await this.#o.store.write<ChangeResult>('shop.placeOrder', request), userId, gameId);
  }
}

function toItem({ gameId, title, quantity, priceMinor, currency, active }: BasketRow): BasketItem {
  return { game_id: gameId, title, quantity, price: toDecimal(priceMinor), currency, active: active === 1 };
}

function requireDone(result: ChangeResult, userId: number, gameId: number): void {
  switch (result) {
    case 'done':
      return;
    case 'no_user':
      throw new GatewayError('NOT_FOUND', `there is no user with ID ${userId}`, { field: 'userId' });
    case 'no_game':
      throw new GatewayError('NOT_FOUND', `there is no game with ID ${gameId}`, { field: 'game_id' });
    case 'retired':
      throw new GatewayError('CONFLICT', shopMessage('item-gone'), { field: 'game_id' });
    case 'currency':
      throw new GatewayError('CONFLICT', shopMessage('item-currency'), {
        field: 'game_id',
      });
    case 'foreign':
      throw new GatewayError('FORBIDDEN', 'this order belongs to another customer', { field: 'orderId' });
    case 'too_many':
      throw limitError('order lines', MAX_UNPAID_LINES);
    default:
      never(result);
  }
}

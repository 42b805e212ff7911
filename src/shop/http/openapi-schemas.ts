import {
  flag,
  listOf,
  number,
  oneOf,
  orNull,
  record,
  since1970,
  text,
  uuid,
  whole,
} from '../../web/openapi/parts.js';
import type { Game } from '../catalogue/catalogue.js';
import type { Basket, BasketItem, TitleCount } from '../orders/orders.js';
import type { PaymentEvent, PaymentRow } from '../rows.js';

/** What the shop sells, keeps and answers. */

const price = { ...number, description: 'Decimal, in `currency`' };
const game = record<Game>({
  ...{ id: whole, title: text, price, currency: text, sku: orNull(text), active: flag },
});
const item = record<BasketItem>({
  ...{ game_id: whole, title: text, quantity: whole, price, currency: text, active: flag },
});
const basket = record<Basket>({ userId: whole, items: listOf(item), total: price, currency: text });
const count = record<TitleCount>({ title: text, orderCount: whole });

export const statusSchema = oneOf(['pending', 'completed', 'failed']);

const event = record<Omit<PaymentEvent, 'transactionId'>>({
  ...{ id: whole, source: oneOf(['local', 'provider', 'webhook', 'manual', 'reconcile']) },
  ...{ fromStatus: orNull(statusSchema), toStatus: statusSchema, actor: orNull(text), conflict: flag },
  ...{ detail: orNull(text), at: since1970 },
});

/** What of a payment is for others: nothing of the caller's key, nor of the tries to make it. */
type Kept =
  | 'amountMinor'
  | 'paidMinor'
  | 'checkoutUrl'
  | 'returnUrl'
  | 'clientKey'
  | 'keyNumber'
  | 'attempts'
  | 'nextCheckAt'
  | 'toldFailed';

const payment = record<Omit<PaymentRow, Kept> & { value: number; paid: number | null; events: object[] }>({
  ...{ seq: whole, transactionId: uuid, orderId: text, userId: orNull(whole), value: number, currency: text },
  ...{ status: statusSchema, statusSource: oneOf(['local', 'provider', 'manual']) },
  ...{ provider: text, providerRef: orNull(text), providerStatus: orNull(statusSchema) },
  paid: { ...orNull(number), description: 'What the provider collected, in `paidCurrency`' },
  paidCurrency: orNull(text),
  settlement: {
    ...orNull(oneOf(['settled', 'underpaid', 'mismatch'])),
    description:
      'Whether what was paid covers the order lines; null while it is not completed, and without lines',
  },
  ...{ intentState: oneOf(['creating', 'created', 'abandoned']), lastError: orNull(text) },
  ...{ createdAt: since1970, events: listOf(event) },
});

export const SHOP_SCHEMAS = {
  ...{ Game: game, Basket: basket, Payment: payment, TitleCount: count },
  PlainError: record<{ error: string }>({ error: text }),
  NamedError: record<Record<'error' | 'message' | 'code', string>>({
    error: text,
    message: text,
    code: text,
  }),
};

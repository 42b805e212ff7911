import { GatewayError } from '../shared/errors.js';
import type { Message } from '../shared/messages/message.js';
import type { PaymentStatus } from '../shared/ports/payments.js';
import { checkerFor, invalidInput } from '../shared/validation/validate.js';
import { shopMessage } from './messages.js';
import { toMinor } from './payments/money.js';
import {
  type BasketItemInput,
  basketItemSchema,
  type GameInput,
  type GamePatch,
  gamePatchSchema,
  gameSchema,
  type OrderInput,
  orderSchema,
  paymentSchema,
} from './schema.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Visible ASCII only, because the idempotency key becomes part of a stored key. */
const KEY = /^[\x21-\x7e]{1,200}$/;

const payment = checkerFor<{ value: number }>(paymentSchema);

export function requireValue(body: unknown): number {
  const checked = payment(body);
  if ('faults' in checked)
    throw invalidInput(checked.faults, (field) => FIELDS[field] ?? (field || 'the body'));
  return requirePrice(checked.value.value, 'value');
}

/** Throws `INVALID_INPUT`. */
export function requirePrice(value: unknown, field: string, minMinor = 1): number {
  const minor = toMinor(value, minMinor);
  if (minor !== undefined) return minor;
  const min = (minMinor / 100).toFixed(2);
  throw new GatewayError(
    'INVALID_INPUT',
    shopMessage('price-range', { field: FIELDS[field] ?? field, min }),
    {
      field,
    },
  );
}

export function requireTransactionId(text: unknown): string {
  if (typeof text === 'string' && UUID.test(text)) return text.toLowerCase();
  throw new GatewayError('INVALID_INPUT', 'transactionId must be a UUID', { field: 'transactionId' });
}

export function requireGameId(text: unknown, field: string): number {
  const id = typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  if (id >= 1 && id <= 2_147_483_647) return id;
  throw new GatewayError('INVALID_INPUT', `${field} must be a whole number of at least 1`, { field });
}

export function requireStatus(text: unknown): PaymentStatus {
  if (text === 'pending' || text === 'completed' || text === 'failed') return text;
  throw new GatewayError('INVALID_INPUT', 'status must be pending, completed or failed', {
    field: 'status',
  });
}

/** Returns null if the request has no `Idempotency-Key`. Throws `INVALID_INPUT`. */
export function readClientKey(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (KEY.test(text)) return text;
  throw new GatewayError('INVALID_INPUT', 'Idempotency-Key must be 1 to 200 visible ASCII characters', {
    field: 'Idempotency-Key',
  });
}

export const requireOrder = required<OrderInput>(orderSchema);
export const requireGame = required<GameInput>(gameSchema);
export const requireGamePatch = required<GamePatch>(gamePatchSchema);
export const requireBasketItem = required<BasketItemInput>(basketItemSchema);

function required<T>(schema: object): (body: unknown) => T {
  const check = checkerFor<T>(schema);
  return (body) => {
    const checked = check(body);
    if ('faults' in checked)
      throw invalidInput(checked.faults, (field) => FIELDS[field] ?? (field || 'the body'));
    return checked.value;
  };
}

/** The fields of the shop's forms, whose names are shown in the page's language. */
const FIELDS: Readonly<Record<string, Message>> = {
  price: shopMessage('field.price'),
  quantity: shopMessage('field.quantity'),
  title: shopMessage('field.title'),
};

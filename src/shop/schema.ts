import type { FromSchema } from 'json-schema-to-ts';
import { CURRENCIES } from './payments/money.js';

/** `money.ts` checks the number of decimal places, because no schema keyword does so correctly. */
export const paymentSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['value'],
  properties: { value: { type: 'number' } },
} as const;

const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;
const wellFormed = '^\\P{Cs}*$';
const title = { type: 'string', minLength: 1, maxLength: 200, pattern: wellFormed } as const;
const sku = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,40}$' } as const;

export const orderSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['orderId', 'userId', 'game_id'],
  properties: {
    orderId: { type: 'string', minLength: 1, maxLength: 64, pattern: wellFormed },
    userId: id,
    game_id: id,
  },
} as const;

export type OrderInput = FromSchema<typeof orderSchema>;

/** `price` is a decimal amount in the shop's currency. */
export const gameSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'price'],
  properties: { title, price: { type: 'number' }, sku },
} as const;

export type GameInput = FromSchema<typeof gameSchema>;

/** Fields that are absent from the request do not change. */
export const gamePatchSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { title, price: { type: 'number' }, sku, active: { type: 'boolean' } },
} as const;

export type GamePatch = FromSchema<typeof gamePatchSchema>;

/** If `quantity` is absent, one is added; 0 removes the game. */
export const basketItemSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['game_id'],
  properties: { game_id: id, quantity: { type: 'integer', minimum: 0, maximum: 99 } },
} as const;

export type BasketItemInput = FromSchema<typeof basketItemSchema>;

export const paymentsConfigSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    provider: { type: 'string', enum: ['sandbox', 'stripe'] },
    currency: { type: 'string', enum: CURRENCIES },
    publicUrl: { type: 'string', pattern: '^https?://[^/?#\\s]+$' },
    strictTransitions: { type: 'boolean' },
    stripeUrl: { type: 'string', pattern: '^https?://[^/?#\\s]+$' },
  },
} as const;

export type PaymentsConfig = FromSchema<typeof paymentsConfigSchema>;

import {
  away,
  done,
  flag,
  json,
  jsonBody,
  listOf,
  orNull,
  record,
  ref,
  text,
  uuid,
  whole,
} from '../../web/openapi/parts.js';
import type { Answer, Api, Operation } from '../../web/openapi/types.js';
import type { Game } from '../catalogue/catalogue.js';
import { basketItemSchema, gamePatchSchema, gameSchema, orderSchema, paymentSchema } from '../schema.js';
import { SHOP_SCHEMAS, statusSchema } from './openapi-schemas.js';

/** The failures of the specification: `{error}` on most routes of the shop. */
const plain = (description: string): Answer => json(description, ref('PlainError'));
const named = (description: string): Answer => json(description, ref('NamedError'));
const plain500 = { 500: plain('It could not be done') };
const plainBoth = { 400: plain('Invalid input'), ...plain500 };

const GAME: Game = { id: 1, title: 'Beacon Hunt', price: 9.99, currency: 'EUR', sku: 'CW-002', active: true };
const TRANSACTION = '6f1c7e0a-52d4-4b7a-9a53-0c4f0c0d9b11';
const ORDER = 'ORD-7K2M9Q4T';
const gameId = { gameId: { description: 'Of the game', schema: whole } };
const userId = { user_id: { description: 'Of the user', schema: whole } };
const transactionId = { transactionId: { description: 'Of the payment', schema: uuid } };
const orderId = { orderId: { description: 'As `POST /payments` gave it' } };
const success = json('Done', record<{ success: boolean }>({ success: flag }), { success: true });
const missing: Operation = {
  summary: 'A part of the address is missing',
  answers: { 400: plain('What is missing') },
};
const transactionOf: Operation = {
  summary: 'The transaction of an order',
  path: orderId,
  answers: {
    200: json('The transaction', record<{ transactionId: string }>({ transactionId: uuid }), {
      transactionId: TRANSACTION,
    }),
    ...plainBoth,
  },
  failures: [404],
};

export const shopApi: Api = {
  tag: { name: 'Shop', description: 'Games, baskets, payments and orders.' },
  schemas: SHOP_SCHEMAS,
  routes: {
    'GET /games': {
      summary: 'The catalogue',
      answers: { 200: json('By title', listOf(ref('Game')), [GAME]) },
    },
    'POST /games': {
      summary: 'Adds a game',
      body: jsonBody(gameSchema, { title: 'Beacon Hunt', price: 9.99, sku: 'CW-002' }),
      answers: { 201: json('The game', ref('Game'), GAME) },
      failures: [409, 503],
    },
    'PATCH /games/:gameId': {
      summary: 'Changes a game',
      path: gameId,
      body: jsonBody(gamePatchSchema, { price: 7.99 }),
      answers: { 200: json('The game', ref('Game'), GAME) },
      failures: [404, 409, 503],
    },
    'DELETE /games/:gameId': {
      summary: 'Takes a game out of the catalogue and of every basket',
      path: gameId,
      answers: { 200: json('The game', ref('Game'), { ...GAME, active: false }) },
      failures: [404, 503],
    },
    'POST /payments': {
      summary: 'Makes a payment',
      description: 'The same `Idempotency-Key` with the same value is the same payment.',
      headers: { 'Idempotency-Key': { description: '1 to 200 visible ASCII characters' } },
      body: jsonBody(paymentSchema, { value: 19.99 }),
      answers: {
        201: json(
          'The payment',
          record<{ transactionId: string; orderId: string; checkoutUrl: string | null }>({
            ...{ transactionId: uuid, orderId: text },
            checkoutUrl: { ...orNull(text), description: 'Where it is paid' },
          }),
          { transactionId: TRANSACTION, orderId: ORDER, checkoutUrl: 'http://localhost:3000/sandbox/abc' },
        ),
        400: named('Invalid input: `INVALID_INPUT`'),
        500: named('The payment could not be made: `LOGIN_FAILED`'),
      },
      failures: [409, 422, 429, 503],
    },
    'GET /payments': {
      summary: 'The newest payments, with all that happened to them',
      query: {
        limit: { description: 'How many; 50 when left out', schema: { ...whole, minimum: 1, maximum: 200 } },
        before: { description: 'The `seq` of the last one that you have', schema: { ...whole, minimum: 1 } },
      },
      answers: { 200: json('Newest first', listOf(ref('Payment'))) },
      failures: [400],
    },
    'GET /payments/:transactionId/status': {
      summary: 'Asks the provider for the status',
      path: transactionId,
      answers: {
        200: json('The status', record<{ status: string }>({ status: statusSchema }), { status: 'pending' }),
        ...plainBoth,
      },
      failures: [404, 503],
    },
    'GET /payments/transaction/:orderId': transactionOf,
    'GET /payments/:orderId/transaction': transactionOf,
    'GET /payments/:transactionId/checkout': {
      summary: 'To the page where it is paid',
      path: transactionId,
      answers: { 303: away('The page') },
      failures: [400, 404, 409],
    },
    'PATCH /payments/updateStatus/:status/:orderId': {
      summary: 'Sets the status by hand',
      path: { status: { description: 'The new status', schema: statusSchema }, ...orderId },
      answers: { 200: success, ...plainBoth },
      failures: [404, 409, 503],
    },
    'PATCH /payments/updateStatus/:status': {
      ...missing,
      path: { status: { description: 'The new status' } },
    },
    'PATCH /payments/updateStatus//:orderId': { ...missing, path: orderId },
    'PATCH /payments/updateStatus': missing,
    'GET /payments/cart/:user_id': {
      summary: 'A basket',
      path: userId,
      answers: { 200: json('The basket', ref('Basket')) },
    },
    'POST /payments/cart/:user_id': {
      summary: 'Puts a game into a basket, or takes it out',
      path: userId,
      body: jsonBody(basketItemSchema, { game_id: 1, quantity: 1 }),
      answers: { 200: json('The basket', ref('Basket')) },
      failures: [404, 409, 503],
    },
    'DELETE /payments/cart/:user_id': {
      summary: 'Empties a basket',
      path: userId,
      answers: { 200: done('It is empty'), ...plainBoth },
    },
    'POST /payments/order': {
      summary: 'Stores an order',
      description:
        'An order of a payment takes the lines of one customer until it is paid: 403 on the payment of another customer, 409 on a paid one. The lines are paid when the payment covers their sum.',
      body: jsonBody(orderSchema, { orderId: ORDER, userId: 2, game_id: 1 }),
      answers: {
        201: json(
          'Stored',
          record<{ success: true; message: string }>({ success: { const: true }, message: text }),
          {
            ...{ success: true, message: `Order ${ORDER} has game 1.` },
          },
        ),
        400: plain('Invalid input'),
        500: json(
          'It could not be stored',
          record<{ success: false; error: string }>({ success: { const: false }, error: text }),
        ),
      },
      failures: [404, 409, 429, 503],
    },
    'GET /orders/stats': {
      summary: 'Orders per game',
      answers: {
        200: json('Most ordered first', listOf(ref('TitleCount')), [{ title: 'Beacon Hunt', orderCount: 3 }]),
        ...plain500,
      },
    },
    'POST /webhooks/:provider': {
      summary: 'What the payment provider has to say, signed',
      path: { provider: { description: 'Its name' } },
      body: { required: false, content: { 'application/json': { schema: {} } } },
      answers: {
        200: json('Taken', record<{ received: true }>({ received: { const: true } }), { received: true }),
      },
      failures: [404, 503],
    },
  },
};

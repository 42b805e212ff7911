import { cartIdSchema, commandRequestSchema } from '../carts/schema.js';
import {
  away,
  formBody,
  json,
  jsonOrPage,
  listOf,
  oneOf,
  optionalBody,
  page,
  record,
  ref,
} from './api-parts.js';
import type { Answer, Api } from './api-types.js';
import { COMMAND_SCHEMAS, estopSchema } from './command-api-schemas.js';

const endedBadly: Answer = {
  description: 'The command ended badly',
  content: { 'application/json': { schema: ref('FailedCommand') } },
};

const cartID = { cartID: { description: 'Of the cart', schema: cartIdSchema } };
const oneCart = { type: 'object', properties: { cartID: cartIdSchema } };
const seenStop = {
  description: '`safety.stoppedAt` as it was shown. With it the reset is refused when there is a newer stop.',
  type: 'string',
} as const;
const commands = json('Newest first', listOf(ref('Command')));
const stopped = (value: object) =>
  record<{ success: true; stopped: unknown }>({ success: { const: true }, stopped: value });
const back = away('A browser goes back to its page');

export const commandApi: Api = {
  tag: { name: 'Carts', description: 'Command carts, stop them, and see what they do.' },
  schemas: COMMAND_SCHEMAS,
  routes: {
    'GET /': {
      summary: 'The Drive page',
      query: { cart: { description: 'The cart to show first', schema: cartIdSchema } },
      answers: { 200: page('`index.html`') },
    },
    'GET /fleet': {
      summary: 'Every cart in a line, worst first',
      answers: { 200: jsonOrPage('The carts', ref('Fleet')) },
    },
    'POST /': {
      summary: 'Commands a cart',
      description:
        'Whole numbers may come as texts. Without `Accept: application/json` the answer is the Drive page. The same `commandId` with the same content is the same command.',
      query: {
        wait: {
          description: 'When to answer',
          schema: { ...oneOf(['accept', 'ack', 'done']), default: 'ack' },
        },
      },
      headers: { 'Idempotency-Key': { description: 'A UUID: the same as `commandId`' } },
      body: formBody(commandRequestSchema, { cartID: 1, distanceID: 500, angleID: 0 }),
      answers: {
        200: jsonOrPage('The command as it stands', ref('Command')),
        ...Object.fromEntries([400, 403, 404, 409, 429, 500, 503, 504].map((status) => [status, endedBadly])),
      },
      failures: [400, 404, 409, 429, 503, 504],
    },
    'GET /carts': { summary: 'All carts', answers: { 200: json('The carts', listOf(ref('Cart'))) } },
    'GET /carts/:cartID': {
      summary: 'One cart',
      path: cartID,
      answers: { 200: json('The cart', ref('Cart')) },
      failures: [400, 404],
    },
    'GET /commands': { summary: 'The newest 100 commands', answers: { 200: commands } },
    'GET /commands/:commandId': {
      summary: 'One command of the last ten minutes',
      path: { commandId: { description: 'A UUID' } },
      answers: { 200: json('The command', ref('Command')) },
      failures: [404],
    },
    'POST /carts/:cartID/stop': {
      summary: 'Stops a cart',
      description: 'The cart is stopped before anything else of the request is looked at.',
      path: cartID,
      body: optionalBody(
        { type: 'object', properties: { kind: { ...oneOf(['stop', 'halt']), default: 'stop' } } },
        { kind: 'halt' },
      ),
      answers: {
        200: json('It was stopped', stopped(cartIdSchema), { success: true, stopped: 1 }),
        303: back,
      },
      failures: [400, 404, 503, 504],
    },
    'POST /estop': {
      summary: 'Emergency stop of every cart, or of one',
      description: 'What cannot be understood stops every cart, and is complained about afterwards.',
      body: optionalBody(oneCart, {}),
      answers: {
        200: json('They were stopped', stopped({ anyOf: [cartIdSchema, { const: 'all' }] }), {
          ...{ success: true, stopped: 'all' },
        }),
        303: back,
      },
      failures: [400, 404, 503, 504],
    },
    'POST /estop/reset': {
      summary: 'Ends the emergency stop of one cart; without `cartID` of the own one',
      body: optionalBody(
        { type: 'object', properties: { cartID: cartIdSchema, stoppedAt: seenStop } },
        { cartID: 1 },
      ),
      answers: {
        200: json(
          'What the cart says of it now',
          record<{ success: true; cartID: number; emergencyStop: unknown }>({
            ...{ success: { const: true }, cartID: cartIdSchema, emergencyStop: estopSchema },
          }),
          { success: true, cartID: 1, emergencyStop: 'NONE' },
        ),
        303: back,
      },
      failures: [400, 403, 404, 409, 503, 504],
    },
  },
};

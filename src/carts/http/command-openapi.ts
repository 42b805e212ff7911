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
} from '../../web/openapi/parts.js';
import type { Answer, Api } from '../../web/openapi/types.js';
import { cartIdSchema, commandRequestSchema } from '../command/settings-schema.js';
import { COMMAND_SCHEMAS, estopSchema } from './command-openapi-schemas.js';

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
  record<{ success: true; stopped: unknown; carts: unknown }>({
    ...{ success: { const: true }, stopped: value, carts: listOf(ref('StoppedCart')) },
  });
const unconfirmed = (description: string) => json(description, ref('StopFailure'));
const unconfirmedStops = {
  207: unconfirmed('Some carts have confirmed the stop within a second, others have not'),
  503: unconfirmed('No cart has confirmed the stop within a second'),
};
const confirmed = [{ cartID: 1, name: 'Cart 1', confirmed: true }];
const everyCartStopped = json(
  'Every cart confirmed the stop',
  stopped({ anyOf: [cartIdSchema, { const: 'all' }] }),
  { success: true, stopped: 'all', carts: confirmed },
);
const back = away('A browser goes back to its page');

const stopToken = {
  'X-Stop-Token': {
    description:
      'The `stopToken` of the first snapshot of `/events` or the first state of `/drive`, in place of a session that has expired; for answers in JSON. It is good while that stream is open and for 10 minutes after, until a logout, a revocation or a new password ends it. An answer 401 to a request with a good one has `X-Stop-Token-Expires-In`, in seconds.',
  },
};

export const commandApi: Api = {
  tag: { name: 'Carts', description: 'Command carts, stop them, and see what they do.' },
  schemas: COMMAND_SCHEMAS,
  routes: {
    'GET /': {
      summary: 'The Drive page',
      query: { cart: { description: 'The selected cart; every page takes it', schema: cartIdSchema } },
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
      headers: stopToken,
      path: cartID,
      body: optionalBody(
        { type: 'object', properties: { kind: { ...oneOf(['stop', 'halt']), default: 'stop' } } },
        { kind: 'halt' },
      ),
      answers: {
        200: json('It confirmed the stop', stopped(cartIdSchema), {
          ...{ success: true, stopped: 1, carts: confirmed },
        }),
        ...unconfirmedStops,
        303: back,
      },
      failures: [400, 404, 503, 504],
    },
    'POST /stop': {
      summary: 'Stops every cart, or one',
      description:
        'Nothing is latched. A body that cannot be understood stops every cart; the answer then says what is wrong.',
      headers: stopToken,
      body: optionalBody(oneCart, {}),
      answers: {
        200: everyCartStopped,
        ...unconfirmedStops,
        303: back,
      },
      failures: [400, 404, 503, 504],
    },
    'POST /stop/mine': {
      summary: 'Stops every cart that the caller moves, and `cartID`',
      description:
        'The caller moves a cart while the cart carries out a command of the same user or key, sent through this gateway.',
      headers: stopToken,
      body: optionalBody(oneCart, { cartID: 2 }),
      answers: {
        200: json('Every one of them confirmed the stop', stopped(listOf(cartIdSchema)), {
          ...{ success: true, stopped: [2], carts: [{ cartID: 2, name: 'Cart 2', confirmed: true }] },
        }),
        ...unconfirmedStops,
        303: back,
      },
      failures: [400, 404, 503, 504],
    },
    'POST /estop': {
      summary: 'Emergency stop of every cart, or of one',
      description: 'What cannot be understood stops every cart, and is complained about afterwards.',
      headers: stopToken,
      body: optionalBody(oneCart, {}),
      answers: {
        200: everyCartStopped,
        ...unconfirmedStops,
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

import * as t from '../../web/openapi/schema-helpers.js';
import { cartIdSchema, commandRequestSchema } from '../command/settings-schema.js';
import { OUTCOMES, STEPS, type StepResult } from '../commissioning/commissioning.js';
import { COMMAND_SCHEMAS, estopSchema } from './openapi-schemas.js';

const CONTROL = { scopes: ['cart:control'] };
const see = t.access({ need: 'session', ...CONTROL });
const move = t.access({ need: 'operator', ...CONTROL });
/** Every user may stop carts. A stop is carried out before its body is checked. */
const stop = t.access({ need: 'session', ...CONTROL, stopToken: true });

const oneCart = t.open([], { cartID: cartIdSchema });
const stopped = (value: t.Schema) => t.json(t.success({ stopped: value, carts: t.refs('StoppedCart') }));
const unconfirmed = (description: string) => ({ description, ...t.jsonOf('StopFailure') });

const STOP = {
  redirect: t.BACK,
  headers: {
    'X-Stop-Token': {
      description:
        'The `stopToken` of the first snapshot of `/events` or the first state of `/drive`, in place of a session that has expired; for answers in JSON. It is valid while that stream is open and for 10 minutes after, until a logout, a revocation or a new password ends it. An answer 401 to a request with a valid one has `X-Stop-Token-Expires-In`, in seconds.',
    },
  },
  answers: {
    207: unconfirmed('Only some carts have confirmed the stop within a second'),
    503: unconfirmed('No cart has confirmed the stop within a second'),
  },
  fails: [400, 404, 504],
} as const;
const STOP_ALL = {
  ...STOP,
  description: 'A malformed body stops every cart; the answer then reports what is wrong.',
  body: t.optionalBody(oneCart),
  ok: stopped({ anyOf: [cartIdSchema, { const: 'all' }] }),
};
const endedBadly = { description: 'The command failed', ...t.jsonOf('FailedCommand') };

const commandChapter = {
  name: 'Carts',
  description: 'Command carts, stop them, and see their state.',
  schemas: COMMAND_SCHEMAS,
  path: { cartID: cartIdSchema },
};
export const commandApi = t.api(commandChapter, {
  'GET /': see('The Drive page', {
    query: { cart: { ...cartIdSchema, description: 'The selected cart; every page takes it' } },
    ok: t.page,
  }),
  'GET /fleet': see('A row per cart, worst first', { ok: t.jsonOrPage(t.ref('Fleet')) }),
  'POST /': move('Commands a cart', {
    description:
      'Whole numbers may be sent as text. Without `Accept: application/json` the answer is the Drive page. The same `commandId` with the same content is the same command.',
    query: { wait: { ...t.oneOf(['accept', 'ack', 'done']), default: 'ack', description: 'When to answer' } },
    headers: { 'Idempotency-Key': { description: 'A UUID: the same as `commandId`' } },
    body: t.formBody(commandRequestSchema, { cartID: 1, distanceID: 500, angleID: 0 }),
    ok: t.jsonOrPage(t.ref('Command')),
    answers: Object.fromEntries([400, 403, 404, 409, 429, 500, 503, 504].map((at) => [at, endedBadly])),
    fails: [404, 409, 429, 504],
  }),
  'GET /carts': see('All carts', { ok: t.jsonListOf('Cart') }),
  'GET /carts/:cartID': see('One cart', { ok: t.jsonOf('Cart') }),
  'GET /commands': see('The latest 100 commands, newest first', { ok: t.jsonListOf('Command') }),
  'GET /commands/:commandId': see('One command of the last ten minutes', { ok: t.jsonOf('Command') }),
  'POST /carts/:cartID/stop': stop('Stops a cart', {
    ...STOP,
    description: 'The cart is stopped before the rest of the request is checked.',
    body: t.optionalBody(t.open([], { kind: { ...t.oneOf(['stop', 'halt']), default: 'stop' } })),
    ok: stopped(cartIdSchema),
  }),
  'POST /stop': stop('Stops every cart, or one; nothing is latched', STOP_ALL),
  'POST /stop/mine': stop('Stops every cart that the caller moves, and `cartID`', {
    ...STOP,
    description:
      'The caller moves a cart while the cart carries out a command of the same user or key, sent through this gateway.',
    body: t.optionalBody(oneCart, { cartID: 2 }),
    ok: stopped(t.listOf(cartIdSchema)),
  }),
  'POST /estop': stop('Emergency stop of every cart, or of one', STOP_ALL),
  'POST /estop/reset': move('Resets the emergency stop of one cart; without `cartID`, of the own cart', {
    body: t.optionalBody(
      t.open([], {
        cartID: cartIdSchema,
        stoppedAt: { ...t.text, description: 'As shown; a newer stop then refuses the reset' },
      }),
      { cartID: 1 },
    ),
    ok: t.json(t.success({ cartID: cartIdSchema, emergencyStop: estopSchema })),
    redirect: t.BACK,
    fails: [400, 404, 409, 504],
  }),
});

const MESSAGES = 'Its messages are described in `/asyncapi.json`.';

const eventsChapter = { name: 'Live', description: 'Events as they happen.' };
export const eventsApi = t.api(eventsChapter, {
  'GET /events': see('Server-sent events', {
    description: MESSAGES,
    query: { cart: { ...cartIdSchema, description: 'A cart to include beside the first 50' } },
    ok: { content: t.contentOf(['text/event-stream'], t.text) },
  }),
  // No keys: only people drive. Users who may not drive see the driver.
  'GET /drive': t.user('The WebSocket for driving by hand; people only', {
    description: MESSAGES,
    answers: { 101: {} },
    fails: [426],
  }),
});

const stepResults = t.mapOf(t.ref('StepResult'));

const commissioningChapter = {
  name: 'System',
  schemas: {
    StepResult: t.record<StepResult>({
      ...{ outcome: t.oneOf(OUTCOMES), ...t.each(t.text, 'note', 'by'), at: t.since1970 },
    }),
  },
};
export const commissioningApi = t.api(commissioningChapter, {
  'GET /commissioning': t.operator('The commissioning steps and their results', {
    query: { step: { ...t.oneOf(STEPS), description: 'The step to show' } },
    ok: t.jsonOrPage(t.exact({ steps: t.listOf(t.oneOf(STEPS)), results: stepResults })),
  }),
  'POST /commissioning': t.operator('Records the result of a step', {
    body: t.formBody(
      t.open(['step'], {
        step: { ...t.oneOf([...STEPS, 'rest']), description: '`rest`: all others are skipped' },
        ...{ outcome: t.oneOf(OUTCOMES), note: { ...t.text, maxLength: 300 } },
      }),
      { step: 'wheels', outcome: 'passed', note: '' },
      4,
    ),
    ok: t.json(t.success({ results: stepResults })),
    redirect: 'A browser goes on to the next step',
  }),
});

const snapshot = t.open(['x', 'y', 'heading', 'speed', 'state', 'estop', 'faults'], {
  ...{ ...t.each(t.mm, 'x', 'y'), heading: t.deg, speed: t.mmps },
  ...{ state: t.text, faults: t.listOf(t.text) },
  estop: t.open(['pressed', 'latched'], t.each(t.flag, 'pressed', 'latched')),
  verbs: { ...t.listOf(t.text), description: 'The faults that can be injected' },
});

const simulatorChapter = { name: 'Simulator', description: 'Only while the controller is simulated.' };
export const simulatorApi = t.api(simulatorChapter, {
  'GET /simulator': move('The simulated cart as a bystander sees it', { ok: t.json(snapshot), fails: [404] }),
  'POST /simulator': move('Its button, plug and faults', {
    body: t.formBody(
      t.open(['action'], {
        action: { ...t.text, description: '`button`, `plug`, `reset-here`, or one of `verbs`' },
        on: { anyOf: [t.flag, t.oneOf(['true', 'false'])] },
        argument: t.orNull({ anyOf: [t.number, t.text] }),
      }),
      { action: 'button', on: true },
      4,
    ),
    ok: t.json(snapshot),
    fails: [404, 409, 504],
  }),
});

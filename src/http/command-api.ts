import type {
  CartFault,
  CartView,
  CommandResult,
  CommandView,
  LinkView,
  SafetyView,
  Telemetry,
} from '../carts/model.js';
import { COMMAND_STATES } from '../carts/model.js';
import { FLEET_STATES, type FleetList, type FleetRow } from '../carts/rows-fleet.js';
import { cartIdSchema, commandRequestSchema } from '../carts/schema.js';
import { failureSchema } from './api-failures.js';
import {
  away,
  flag,
  formBody,
  json,
  jsonOrPage,
  listOf,
  moment,
  number,
  oneOf,
  optionalBody,
  orNull,
  page,
  record,
  ref,
  text,
  whole,
} from './api-parts.js';
import type { Answer, Api } from './api-types.js';

const result = record<CommandResult>({
  distanceMm: { ...number, unit: 'mm' },
  angleDeg: { ...number, unit: 'deg' },
  estimated: flag,
});
const state = oneOf(COMMAND_STATES);
const estop = oneOf(['NONE', 'MANUAL', 'REMOTE']);

export const commandSchema = record<CommandView>(
  {
    commandId: text,
    cartID: cartIdSchema,
    kind: oneOf(['move', 'jog', 'stop']),
    destination: oneOf(['serial', 'mqtt']),
    state,
    distanceID: whole,
    angleID: whole,
    distanceMm: { ...number, unit: 'mm' },
    angleDeg: { ...number, unit: 'deg' },
    maxSpeed: { ...number, unit: 'mm/s' },
    ttlMs: { ...number, unit: 'ms' },
    origin: record<CommandView['origin']>({
      source: oneOf(['http', 'socket', 'mqtt']),
      gatewayId: text,
      principal: text,
    }),
    acceptedAt: moment,
    timeline: listOf(
      record<CommandView['timeline'][number]>({ state, ms: { ...number, unit: 'ms' }, cause: text }),
    ),
    simulated: flag,
  },
  { reason: record<{ code: string; text: string }>({ code: text, text }), result },
);

const amount = { type: ['number', 'null'] };
const telemetry = record<Telemetry>({
  state: oneOf(['BOOT', 'IDLE', 'RUNNING', 'STOPPING', 'ESTOP', 'FAULT', 'LINK_LOST']),
  faults: listOf(text),
  ...{ progressMm: number, odoLeftMm: number, odoRightMm: number, speedMmps: number, omegaDdegps: number },
  ...{ batteryMv: amount, batteryCa: amount, soc: amount },
  ...{ tempBoardC: amount, tempM1C: amount, tempM2C: amount },
});
const link = record<LinkView>(
  {
    state: oneOf(['DOWN', 'OPENING', 'HELLO', 'READY', 'DEGRADED', 'LOST', 'INCOMPATIBLE']),
    reason: text,
    path: text,
    driver: text,
    simulated: flag,
    delivery: oneOf(['confirmed', 'unconfirmed']),
    counters: record<LinkView['counters']>({
      ...{ sent: whole, received: whole, dropped: whole, retried: whole, reconnects: whole },
    }),
  },
  { firmware: text },
);

export const safetySchema = record<SafetyView>(
  {
    mayMove: flag,
    reason: text,
    code: text,
    emergencyStop: estop,
    input: oneOf(['healthy', 'asserted', 'unavailable', 'off']),
    pins: oneOf(['simulated', 'onoff', 'gpiod', 'none']),
    resetNeeds: text,
  },
  { stoppedBy: text, stoppedAt: moment },
);

const cartFault = record<CartFault>(
  { path: text, message: text },
  { level: { ...oneOf(['FATAL']), description: 'Nobody may drive before it is repaired' } },
);

export const cartSchema = record<CartView>(
  {
    cartID: cartIdSchema,
    name: text,
    destination: oneOf(['serial', 'mqtt']),
    ...{ simulated: flag, online: flag, reason: text, moving: flag },
    ageMs: { ...amount, unit: 'ms' },
    safety: ref('Safety'),
    faults: listOf(cartFault),
  },
  {
    ...{ link, telemetry, commandId: text, controlledBy: text },
    pose: record<NonNullable<CartView['pose']>>({
      xMm: { ...number, unit: 'mm' },
      yMm: { ...number, unit: 'mm' },
      headingDeg: { ...number, unit: 'deg' },
    }),
  },
);

/** A command that ended badly: the command, and why. */
const failedCommand = {
  ...commandSchema,
  required: [...commandSchema.required, ...failureSchema.required],
  properties: { ...commandSchema.properties, ...failureSchema.properties },
};
const endedBadly: Answer = {
  description: 'The command ended badly',
  content: { 'application/json': { schema: ref('FailedCommand') } },
};

const cartID = { cartID: { description: 'Of the cart', schema: cartIdSchema } };
const oneCart = { type: 'object', properties: { cartID: cartIdSchema } };
const commands = json('Newest first', listOf(ref('Command')));
const stopped = (value: object) =>
  record<{ success: true; stopped: unknown }>({ success: { const: true }, stopped: value });
const back = away('A browser goes back to its page');

const millimetres = orNull({ ...whole, unit: 'mm' });
const fleetLine = record<FleetRow>({
  ...{ cartID: cartIdSchema, name: text, state: oneOf(FLEET_STATES), why: text, simulated: flag },
  ...{ soc: orNull({ ...number, unit: '%' }), batteryMv: orNull({ ...number, unit: 'mV' }) },
  ...{ xMm: millimetres, yMm: millimetres, speedMmps: { ...whole, unit: 'mm/s' } },
  ageMs: orNull({ ...number, unit: 'ms' }),
});
const fleetSchema = record<FleetList>({
  counts: record<FleetList['counts']>({
    ...{ stopped: whole, offline: whole, refusing: whole, faulty: whole, moving: whole, ready: whole },
  }),
  carts: listOf(fleetLine),
});

export const commandApi: Api = {
  tag: { name: 'Carts', description: 'Command carts, stop them, and see what they do.' },
  schemas: {
    Fleet: fleetSchema,
    Command: commandSchema,
    Cart: cartSchema,
    Safety: safetySchema,
    FailedCommand: failedCommand,
  },
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
      body: optionalBody(oneCart, { cartID: 1 }),
      answers: {
        200: json(
          'What the cart says of it now',
          record<{ success: true; cartID: number; emergencyStop: unknown }>({
            ...{ success: { const: true }, cartID: cartIdSchema, emergencyStop: estop },
          }),
          { success: true, cartID: 1, emergencyStop: 'NONE' },
        ),
        303: back,
      },
      failures: [400, 403, 404, 409, 503, 504],
    },
  },
};

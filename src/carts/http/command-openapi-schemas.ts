import { failureSchema } from '../../web/openapi/failures.js';
import {
  flag,
  listOf,
  moment,
  number,
  oneOf,
  orNull,
  record,
  ref,
  text,
  whole,
} from '../../web/openapi/parts.js';
import type {
  CartFault,
  CartView,
  CommandResult,
  CommandView,
  LinkView,
  ResetStep,
  SafetyView,
  StoppedCart,
  Telemetry,
} from '../command/model.js';
import { COMMAND_STATES, RESET_STEPS } from '../command/model.js';
import { cartIdSchema } from '../command/settings-schema.js';
import { FLEET_STATES, type FleetList, type FleetRow } from '../labels/fleet-rows.js';

/** Carts and commands as they are answered. */

const result = record<CommandResult>({
  distanceMm: { ...number, unit: 'mm' },
  angleDeg: { ...number, unit: 'deg' },
  estimated: flag,
});
const state = oneOf(COMMAND_STATES);
export const estopSchema = oneOf(['NONE', 'MANUAL', 'REMOTE']);

const commandSchema = record<CommandView>(
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
    origin: record<CommandView['origin']>(
      { source: oneOf(['http', 'socket', 'mqtt']), gatewayId: text, principal: text },
      { claimed: flag },
    ),
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

const safetySchema = record<SafetyView>(
  {
    mayMove: flag,
    reason: text,
    code: text,
    emergencyStop: estopSchema,
    input: oneOf(['healthy', 'asserted', 'unavailable', 'off']),
    pins: oneOf(['simulated', 'onoff', 'gpiod', 'none']),
    resetNeeds: text,
  },
  {
    stoppedBy: text,
    stoppedAt: moment,
    resetStep: {
      ...record<ResetStep>({
        code: oneOf(RESET_STEPS),
        onCart: flag,
        healthyMs: { ...number, unit: 'ms' },
      }),
      description: 'What comes next on the way to a reset; there while the emergency stop is latched',
    },
  },
);

const cartFault = record<CartFault>(
  { path: text, message: text },
  { level: { ...oneOf(['FATAL']), description: 'Nobody may drive before it is repaired' } },
);

const stopPending = {
  ...oneOf(['stop', 'halt', 'estop']),
  description: 'A stop that the cart has not confirmed; it is sent again until the cart does',
};

const stoppedCart = record<StoppedCart>(
  { cartID: cartIdSchema, name: text, confirmed: flag },
  { code: text, reason: text },
);

/** A stop that not every cart has confirmed: which have, and the failure. */
const stopFailure = {
  ...failureSchema,
  required: [...failureSchema.required, 'success', 'stopped', 'carts'],
  properties: {
    ...failureSchema.properties,
    success: { const: false },
    stopped: { ...listOf(cartIdSchema), description: 'The carts that confirmed the stop' },
    carts: listOf(ref('StoppedCart')),
  },
};

const cartSchema = record<CartView>(
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
    ...{ link, telemetry, commandId: text, controlledBy: text, stopPending },
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
const millimetres = orNull({ ...whole, unit: 'mm' });
const fleetLine = record<FleetRow>({
  ...{ cartID: cartIdSchema, name: text, state: oneOf(FLEET_STATES), why: text, simulated: flag },
  ...{ soc: orNull({ ...number, unit: '%' }), batteryMv: orNull({ ...number, unit: 'mV' }) },
  ...{ xMm: millimetres, yMm: millimetres, speedMmps: { ...whole, unit: 'mm/s' } },
  ageMs: orNull({ ...number, unit: 'ms' }),
  stopPending: orNull(stopPending),
});
const fleetSchema = record<FleetList>({
  counts: record<FleetList['counts']>({
    ...{ stopped: whole, offline: whole, refusing: whole, faulty: whole, moving: whole, ready: whole },
  }),
  carts: listOf(fleetLine),
});

export const COMMAND_SCHEMAS = {
  Fleet: fleetSchema,
  Command: commandSchema,
  Cart: cartSchema,
  Safety: safetySchema,
  FailedCommand: failedCommand,
  StoppedCart: stoppedCart,
  StopFailure: stopFailure,
};

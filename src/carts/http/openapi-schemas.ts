import { failureSchema } from '../../web/openapi/failures.js';
import * as t from '../../web/openapi/schema-helpers.js';
import type * as model from '../command/model.js';
import { COMMAND_STATES, RESET_STEPS } from '../command/model.js';
import { cartIdSchema } from '../command/settings-schema.js';
import { FLEET_STATES, type FleetList, type FleetRow } from '../labels/fleet-rows.js';

const state = t.oneOf(COMMAND_STATES);
export const estopSchema = t.oneOf(['NONE', 'MANUAL', 'REMOTE']);

const command = t.record<model.CommandView>(
  {
    ...{ commandId: t.text, cartID: cartIdSchema, state, acceptedAt: t.moment, simulated: t.flag },
    ...{ kind: t.oneOf(['move', 'jog', 'stop']), destination: t.oneOf(['serial', 'mqtt']) },
    ...{ ...t.each(t.whole, 'distanceID', 'angleID'), distanceMm: t.mm, angleDeg: t.deg },
    ...{ maxSpeed: t.mmps, ttlMs: t.ms },
    origin: t.record<model.CommandView['origin']>(
      { source: t.oneOf(['http', 'socket', 'mqtt']), ...t.each(t.text, 'gatewayId', 'principal') },
      { claimed: t.flag },
    ),
    timeline: t.listOf(t.record<model.CommandView['timeline'][number]>({ state, ms: t.ms, cause: t.text })),
  },
  {
    reason: t.exact(t.each(t.text, 'code', 'text')),
    result: t.record<model.CommandResult>({ distanceMm: t.mm, angleDeg: t.deg, estimated: t.flag }),
  },
);

const amount = { type: ['number', 'null'] };
const telemetry = t.record<model.Telemetry>({
  state: t.oneOf(['BOOT', 'IDLE', 'RUNNING', 'STOPPING', 'ESTOP', 'FAULT', 'LINK_LOST']),
  faults: t.listOf(t.text),
  ...t.each(t.number, 'progressMm', 'odoLeftMm', 'odoRightMm', 'speedMmps', 'omegaDdegps'),
  ...t.each(amount, 'batteryMv', 'batteryCa', 'soc', 'tempBoardC', 'tempM1C', 'tempM2C'),
});
const link = t.record<model.LinkView>(
  {
    state: t.oneOf(['DOWN', 'OPENING', 'HELLO', 'READY', 'DEGRADED', 'LOST', 'INCOMPATIBLE']),
    ...t.each(t.text, 'reason', 'path', 'driver'),
    ...{ simulated: t.flag, delivery: t.oneOf(['confirmed', 'unconfirmed']) },
    counters: t.record<model.LinkView['counters']>(
      t.each(t.whole, 'sent', 'received', 'dropped', 'retried', 'reconnects'),
    ),
  },
  { firmware: t.text },
);

const resetStep = t.record<model.ResetStep>({
  ...{ code: t.oneOf(RESET_STEPS), onCart: t.flag, healthyMs: t.ms },
});
const safety = t.record<model.SafetyView>(
  {
    ...{ mayMove: t.flag, emergencyStop: estopSchema, ...t.each(t.text, 'reason', 'code', 'resetNeeds') },
    input: t.oneOf(['healthy', 'asserted', 'unavailable', 'off']),
    pins: t.oneOf(['simulated', 'onoff', 'gpiod', 'none']),
  },
  {
    ...{ stoppedBy: t.text, stoppedAt: t.moment },
    resetStep: {
      ...resetStep,
      description: 'The next step in resetting the E-stop; present only while the E-stop is latched',
    },
  },
);

const cartFault = t.record<model.CartFault>(t.each(t.text, 'path', 'message'), {
  level: { ...t.oneOf(['FATAL']), description: 'The cart cannot be driven until the fault is repaired' },
});

const stopPending = {
  ...t.oneOf(['stop', 'halt', 'estop']),
  description: 'A stop that the cart has not confirmed; the gateway repeats it until the cart confirms it',
};

const cart = t.record<model.CartView>(
  {
    ...{ cartID: cartIdSchema, ...t.each(t.text, 'name', 'reason') },
    ...t.each(t.flag, 'simulated', 'online', 'moving'),
    ...{ destination: t.oneOf(['serial', 'mqtt']), ageMs: { ...amount, unit: 'ms' } },
    ...{ safety: t.ref('Safety'), faults: t.listOf(cartFault) },
  },
  {
    ...{ link, telemetry, stopPending, ...t.each(t.text, 'commandId', 'controlledBy') },
    pose: t.record<NonNullable<model.CartView['pose']>>({ xMm: t.mm, yMm: t.mm, headingDeg: t.deg }),
  },
);

const stoppedCart = t.record<model.StoppedCart>(
  { cartID: cartIdSchema, name: t.text, confirmed: t.flag },
  t.each(t.text, 'code', 'reason'),
);

const failed = (required: readonly string[], properties: Record<string, t.Schema>) => ({
  ...failureSchema,
  required: [...failureSchema.required, ...required],
  properties: { ...failureSchema.properties, ...properties },
});

const millimetres = t.orNull({ ...t.whole, unit: 'mm' });
const fleetRow = t.record<FleetRow>({
  ...{ cartID: cartIdSchema, ...t.each(t.text, 'name', 'why'), state: t.oneOf(FLEET_STATES) },
  ...{ soc: t.orNull({ ...t.number, unit: '%' }), batteryMv: t.orNull({ ...t.number, unit: 'mV' }) },
  ...{ ...t.each(millimetres, 'xMm', 'yMm'), speedMmps: { ...t.whole, unit: 'mm/s' } },
  ...{ simulated: t.flag, ageMs: t.orNull(t.ms), stopPending: t.orNull(stopPending) },
});

export const COMMAND_SCHEMAS = {
  Fleet: t.record<FleetList>({
    counts: t.record<FleetList['counts']>(
      t.each(t.whole, 'stopped', 'offline', 'refusing', 'faulty', 'moving', 'ready'),
    ),
    carts: t.listOf(fleetRow),
  }),
  Command: command,
  Cart: cart,
  Safety: safety,
  FailedCommand: failed(command.required, command.properties),
  StoppedCart: stoppedCart,
  StopFailure: failed(['success', 'stopped', 'carts'], {
    success: { const: false },
    stopped: { ...t.listOf(cartIdSchema), description: 'The carts that confirmed the stop' },
    carts: t.refs('StoppedCart'),
  }),
};

import { failureSchema, zoneDetails } from '../../http/openapi/failures.js';
import * as t from '../../http/openapi/schema-helpers.js';
import type { CartLocation } from '../../shared/ports/navigation/plan-pose.js';
import type * as model from '../command/model.js';
import { COMMAND_STATES, RESET_STEPS, SITE_PLAN_STATES } from '../command/model.js';
import { cartIdSchema } from '../command/request-schema.js';
import type { DuplicateCart } from '../control/contracts.js';
import { FLEET_STATES, type FleetList, type FleetRow } from '../fleet/fleet-rows.js';
import { BUMPER_NAMES, type FieldSensor, type FieldView } from '../protective-field/model.js';
import { TRAVEL_DIRECTIONS } from '../serial/codec/field-rules.js';

const state = t.oneOf(COMMAND_STATES);
export const estopSchema = t.oneOf(['NONE', 'MANUAL', 'REMOTE']);

const command = t.record<model.CommandView>(
  {
    commandId: t.text,
    cartID: cartIdSchema,
    state,
    acceptedAt: t.moment,
    simulated: t.flag,
    kind: t.oneOf(['move', 'jog', 'stop']),
    destination: t.oneOf(['serial', 'mqtt']),
    ...t.each(t.whole, 'distanceID', 'angleID'),
    distanceMm: t.mm,
    angleDeg: t.deg,
    maxSpeed: t.mmps,
    ttlMs: t.ms,
    origin: t.record<model.CommandView['origin']>(
      { source: t.oneOf(['http', 'socket', 'mqtt']), ...t.each(t.text, 'gatewayId', 'principal') },
      { claimed: t.flag },
    ),
    timeline: t.listOf(t.record<model.CommandView['timeline'][number]>({ state, ms: t.ms, cause: t.text })),
  },
  {
    reason: t.record<model.Reason>(t.each(t.text, 'code', 'text'), zoneDetails),
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
    simulated: t.flag,
    delivery: t.oneOf(['confirmed', 'unconfirmed']),
    counters: t.record<model.LinkView['counters']>(
      t.each(t.whole, 'sent', 'received', 'dropped', 'retried', 'reconnects', 'sessions'),
    ),
  },
  { firmware: t.text },
);

const resetStep = t.record<model.ResetStep>({
  code: t.oneOf(RESET_STEPS),
  onCart: t.flag,
  healthyMs: t.ms,
});
const safety = t.record<model.SafetyView>(
  {
    mayMove: t.flag,
    emergencyStop: estopSchema,
    ...t.each(t.text, 'reason', 'code', 'resetNeeds'),
    input: t.oneOf(['healthy', 'asserted', 'unavailable', 'off']),
    pins: t.oneOf(['simulated', 'onoff', 'gpiod', 'none']),
  },
  {
    stoppedBy: t.text,
    stoppedAt: t.moment,
    pressId: {
      ...t.text,
      description:
        'Identifies the press that latched the stop; all carts stopped by the press report the same ID',
    },
    resetStep: {
      ...resetStep,
      description: 'The next step in resetting the cart; present only while a stop is latched',
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

const field = t.record<FieldView>({
  sensors: t.listOf(
    t.record<FieldSensor>({
      ...t.each(t.deg, 'angleDeg', 'fieldOfViewDeg'),
      maxRangeMm: t.mm,
      rangeMm: t.orNull(t.mm),
      valid: t.flag,
    }),
  ),
  bumpers: t.listOf(t.oneOf(BUMPER_NAMES)),
  blocked: t.listOf(t.oneOf(TRAVEL_DIRECTIONS)),
  ageS: { ...t.whole, unit: 's' },
});

const degrees = { ...t.number, unit: 'degrees' };
const cartLocation = t.record<CartLocation>({
  xMm: t.mm,
  yMm: t.mm,
  headingDeg: degrees,
  covariance: {
    ...t.listOf(t.listOf(t.number)),
    description: 'Covariance of x, y and heading, in mm and degrees',
  },
  ellipse: t.record<CartLocation['ellipse']>({
    ...t.each(t.mm, 'semiMajorMm', 'semiMinorMm'),
    angleDeg: {
      ...degrees,
      description: "Direction of the major axis, counterclockwise from the plan's x axis",
    },
    probability: t.number,
  }),
  state: t.oneOf(['LOST', 'COARSE', 'GOOD']),
  ageMs: t.record<CartLocation['ageMs']>(t.each(t.orNull(t.ms), 'odometry', 'markers', 'beacons')),
  suspiciousMarkers: {
    ...t.listOf(t.whole),
    description: 'IDs of markers that contradict the other markers',
  },
});

const cart = t.record<model.CartView>(
  {
    cartID: cartIdSchema,
    ...t.each(t.text, 'name', 'reason'),
    ...t.each(t.flag, 'simulated', 'online', 'moving'),
    destination: t.oneOf(['serial', 'mqtt']),
    ageMs: { ...amount, unit: 'ms' },
    safety: t.ref('Safety'),
    faults: t.listOf(cartFault),
  },
  {
    field: {
      ...field,
      description: 'The protective field, which is not safety-rated; absent if the controller has none',
    },
    link,
    telemetry,
    stopPending,
    ...t.each(t.text, 'commandId', 'controlledBy'),
    pose: t.record<NonNullable<model.CartView['pose']>>({ xMm: t.mm, yMm: t.mm, headingDeg: t.deg }),
    location: {
      ...t.ref('CartLocation'),
      description: 'Position on the floor plan; absent if it is unknown',
    },
    sitePlan: {
      ...t.record<model.CartSitePlan>({
        version: t.whole,
        planHash: t.orNull(t.text),
        state: t.oneOf(SITE_PLAN_STATES),
      }),
      description: 'The site plan that the cart uses; absent if its gateway does not share a site plan',
    },
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
  cartID: cartIdSchema,
  ...t.each(t.text, 'name', 'why'),
  state: t.oneOf(FLEET_STATES),
  soc: t.orNull({ ...t.number, unit: '%' }),
  batteryMv: t.orNull({ ...t.number, unit: 'mV' }),
  ...t.each(millimetres, 'xMm', 'yMm'),
  speedMmps: { ...t.whole, unit: 'mm/s' },
  simulated: t.flag,
  ageMs: t.orNull(t.ms),
  stopPending: t.orNull(stopPending),
  sitePlan: {
    ...t.orNull(
      t.record<NonNullable<FleetRow['sitePlan']>>({
        version: t.whole,
        state: t.oneOf([...SITE_PLAN_STATES, 'OUTDATED']),
      }),
    ),
    description:
      '`OUTDATED`: another cart has a newer version. `null` if the cart does not share a site plan',
  },
});

export const COMMAND_SCHEMAS = {
  Fleet: t.record<FleetList>({
    counts: t.record<FleetList['counts']>(
      t.each(t.whole, 'stopped', 'offline', 'refusing', 'faulty', 'moving', 'ready'),
    ),
    carts: t.listOf(fleetRow),
    duplicates: t.listOf(
      t.record<DuplicateCart>({
        cartID: cartIdSchema,
        gateways: t.listOf(t.text),
        reason: t.text,
        isSilent: t.flag,
      }),
    ),
  }),
  Command: command,
  Cart: cart,
  CartLocation: cartLocation,
  Safety: safety,
  FailedCommand: failed(command.required, command.properties),
  StoppedCart: stoppedCart,
  StopFailure: failed(['success', 'stopped', 'carts'], {
    success: { const: false },
    stopped: { ...t.listOf(cartIdSchema), description: 'The carts that confirmed the stop' },
    carts: t.refs('StoppedCart'),
  }),
};

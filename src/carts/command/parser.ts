import { createHash, randomUUID } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import { unitText } from '../../shared/messages/messages.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { validationMessage } from '../../shared/validation/messages.js';
import { checkerFor } from '../../shared/validation/validate.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { cartMessage } from '../messages.js';
import { MAX_TURN_DEGPS } from '../serial/driver.js';
import type { KinematicsSettings } from '../serial/settings-schema.js';
import { JOG_LEASE_MS, type Order } from './model.js';
import { type CommandRequest, commandRequestSchema, HARD } from './request-schema.js';
import { DEG_PER_UNIT, MM_PER_UNIT, type PresetsSettings, type UnitsSettings } from './settings-schema.js';

const check = checkerFor<CommandRequest>(commandRequestSchema);
const checkId = checkerFor<string>(commandRequestSchema.properties.commandId);
const INTEGER_FIELDS = ['cartID', 'distanceID', 'angleID', 'maxSpeed', 'ttlMs'] as const;
const DECIMAL = /^-?\d{1,9}$/;

export interface RequestRules {
  units: UnitsSettings;
  presets: PresetsSettings;
  kinematics: KinematicsSettings;
  limits: LimitsSettings;
}

/** A request with an ID, which was either sent or generated. */
export type IdentifiedRequest = CommandRequest & { commandId: string };

/** Throws INVALID_INPUT with the name of the invalid field. */
export function requestOf(body: unknown, idempotencyKey?: string): IdentifiedRequest {
  const request = checked(body);
  return { ...request, commandId: commandIdOf(request, idempotencyKey) };
}

/** Throws INVALID_INPUT with the name of the invalid field, or SETTINGS_CHANGED. */
export function parseCommand(body: unknown, rules: RequestRules, idempotencyKey?: string): Order {
  return orderOf(requestOf(body, idempotencyKey), rules);
}

/** Converts the request's numbers with the settings. Throws INVALID_INPUT or SETTINGS_CHANGED. */
export function orderOf(request: IdentifiedRequest, rules: RequestRules): Order {
  const { commandId } = request;
  const jog = request.mode === 'jog';
  const amounts = convert(request, rules);
  const isStop = isStandstill(amounts);
  if (!isStop) checkUnitsFingerprint(request, rules);
  const distanceMm = amounts.distanceMm ?? missingPreset('distanceID', request.distanceID);
  const angleDdeg = amounts.angleDdeg ?? missingPreset('angleID', request.angleID);
  const { limits } = rules;
  const kind = isStop ? 'stop' : jog ? 'jog' : 'move';
  return {
    commandId,
    cartId: request.cartID,
    kind,
    raw: { distanceID: request.distanceID, angleID: request.angleID },
    distanceMm,
    angleDdeg,
    maxSpeedMmps: request.maxSpeed ?? Math.min(limits.defaultSpeedMmps, limits.maxSpeedMmps),
    ttlMs: startWithinMs(kind, request.ttlMs ?? limits.ttlMs),
    onBusy: request.onBusy ?? limits.onBusy,
    requested: { maxSpeedMmps: request.maxSpeed, ttlMs: request.ttlMs, onBusy: request.onBusy },
  };
}

/**
 * Returns the cart that a request stops, even if the request is invalid; `null` (all carts) if the cart number is
 * missing or invalid. Undefined if the request is not a stop.
 */
export function stopTargetOf(body: unknown, rules: RequestRules): { cartId: number | null } | undefined {
  if (!isJsonObject(body)) return undefined;
  const { cartID, distanceID, angleID } = withIntegers(body);
  if (typeof distanceID !== 'number' || typeof angleID !== 'number') return undefined;
  if (!isStandstill(convert({ distanceID, angleID }, rules))) return undefined;
  const isCart = Number.isInteger(cartID) && Number(cartID) >= 1 && Number(cartID) <= HARD.cartIdMax;
  return { cartId: isCart ? Number(cartID) : null };
}

/**
 * Returns the command's maximum start delay in ms: for a jog, at most `JOG_LEASE_MS`, because its operator may have
 * released the controls.
 */
export function startWithinMs(kind: Order['kind'], ttlMs: number): number {
  return kind === 'jog' ? Math.min(ttlMs, JOG_LEASE_MS) : ttlMs;
}

/**
 * Returns true if the request repeats the move, even if the move was converted with different settings. False if the
 * current settings make the request a stop, which must be executed.
 */
export function repeatsMove(request: IdentifiedRequest, move: Order, rules: RequestRules): boolean {
  const { raw, requested } = move;
  return (
    move.kind === 'move' &&
    move.commandId === request.commandId &&
    move.cartId === request.cartID &&
    request.mode !== 'jog' &&
    raw.distanceID === request.distanceID &&
    raw.angleID === request.angleID &&
    requested !== undefined &&
    requested.maxSpeedMmps === request.maxSpeed &&
    requested.ttlMs === request.ttlMs &&
    requested.onBusy === request.onBusy &&
    !isStandstill(convert(request, rules))
  );
}

/**
 * Returns true if the orders are the same. For fields with a default in the settings, compares the requested values,
 * so that a changed default makes no difference.
 */
export function sameOrder(a: Order, b: Order): boolean {
  return (
    FIXED_FIELDS.every((field) => a[field] === b[field]) &&
    a.raw.distanceID === b.raw.distanceID &&
    a.raw.angleID === b.raw.angleID &&
    SETTINGS_FIELDS.every(
      (field) =>
        a[field] === b[field] || (a.requested && b.requested && a.requested[field] === b.requested[field]),
    )
  );
}

const FIXED_FIELDS = ['commandId', 'cartId', 'kind', 'distanceMm', 'angleDdeg', 'leaseMs'] as const;
const SETTINGS_FIELDS = ['maxSpeedMmps', 'ttlMs', 'onBusy'] as const;

function checked(body: unknown): CommandRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GatewayError('INVALID_INPUT', cartMessage('fields-missing'));
  }
  const result = check(withIntegers(body as Record<string, unknown>));
  if ('value' in result) return result.value;
  const [first] = result.faults;
  const field = first?.path.slice(1) ?? '';
  const text = validationMessage('field', {
    field: field || cartMessage('the-command'),
    fault: first?.message ?? validationMessage('invalid'),
  });
  throw new GatewayError('INVALID_INPUT', text, {
    ...(field ? { field } : {}),
    faults: result.faults,
  });
}

/** Returns the command's ID. Like an empty `commandId`, an empty `Idempotency-Key` counts as missing. */
function commandIdOf({ commandId }: CommandRequest, idempotencyKey = ''): string {
  const field = 'Idempotency-Key';
  const result = idempotencyKey === '' ? undefined : checkId(idempotencyKey);
  if (result && 'faults' in result) {
    const fault = result.faults[0]?.message ?? validationMessage('invalid');
    throw new GatewayError('INVALID_INPUT', validationMessage('field', { field, fault }), { field });
  }
  const [inBody, inHeader] = [commandId?.toLowerCase(), result?.value.toLowerCase()];
  if (inBody !== undefined && inHeader !== undefined && inBody !== inHeader) {
    throw new GatewayError('INVALID_INPUT', cartMessage('ids-differ'), { field: 'commandId' });
  }
  return inBody ?? inHeader ?? randomUUID();
}

/** Converts a form's decimal strings to numbers, and removes its empty optional fields. */
function withIntegers(body: Record<string, unknown>): Record<string, unknown> {
  const out = { ...body };
  for (const field of INTEGER_FIELDS) {
    const value = out[field];
    if (typeof value === 'string' && DECIMAL.test(value)) out[field] = Number(value);
    else if (value === '' && (field === 'maxSpeed' || field === 'ttlMs')) delete out[field];
  }
  if (out.commandId === '') delete out.commandId;
  return out;
}

interface UnitsRules {
  units: UnitsSettings;
  presets: PresetsSettings;
  /** The drive type determines whether an angle is a turn or a steering angle. */
  kinematics: Pick<KinematicsSettings, 'type'>;
  /** `maxDistanceMm` is included, because one commissioning step sends a distance that deliberately exceeds it. */
  limits: Pick<LimitsSettings, 'maxDistanceMm' | 'maxSpeedMmps' | 'defaultSpeedMmps'>;
}

/**
 * Returns 12 hex digits that identify the meaning of a command's numbers, so that a page that was loaded before the
 * units changed cannot move a cart ten times too far.
 */
export function unitsFingerprint({ units, presets, kinematics, limits }: UnitsRules): string {
  const { maxDistanceMm, maxSpeedMmps, defaultSpeedMmps } = limits;
  const rules = [units, presets, kinematics.type, maxDistanceMm, Math.min(maxSpeedMmps, defaultSpeedMmps)];
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 12);
}

/** Throws SETTINGS_CHANGED if the fingerprint is outdated. */
function checkUnitsFingerprint({ meaning }: CommandRequest, rules: UnitsRules): void {
  if (meaning === undefined || meaning === unitsFingerprint(rules)) return;
  const hint = cartMessage('reload-hint');
  throw new GatewayError('SETTINGS_CHANGED', cartMessage('settings-changed'), { field: 'meaning', hint });
}

/** A request's numbers in the units of an `Order`; undefined if a preset does not exist. */
interface Amounts {
  distanceMm: number | undefined;
  angleDdeg: number | undefined;
}

function convert(
  { distanceID, angleID }: Pick<CommandRequest, 'distanceID' | 'angleID'>,
  { units, presets }: Pick<UnitsRules, 'units' | 'presets'>,
): Amounts {
  if (units.mode === 'table') {
    return {
      distanceMm: preset(presets.distance, distanceID, 1),
      angleDdeg: preset(presets.angle, angleID, 10),
    };
  }
  // `+ 0` converts -0 to 0.
  return {
    distanceMm: distanceID * MM_PER_UNIT[units.distance] + 0,
    angleDdeg: Math.round(angleID * 10 * DEG_PER_UNIT[units.angle]) + 0,
  };
}

/** Returns true for a stop, including a motion that becomes 0 when it is converted and rounded. */
function isStandstill({ distanceMm, angleDdeg }: Amounts): boolean {
  return distanceMm === 0 && angleDdeg === 0;
}

function preset(table: Record<string, number>, id: number, factor: number): number | undefined {
  const value = Object.hasOwn(table, String(id)) ? table[String(id)] : undefined;
  return value === undefined ? undefined : Math.round(value * factor) + 0;
}

function missingPreset(field: string, id: number): never {
  throw new GatewayError('INVALID_INPUT', cartMessage('no-preset', { field, id }), { field });
}

/** Throws RANGE if the requested motion exceeds the limits in the settings. */
export function checkLimits(order: Order, rules: Pick<RequestRules, 'limits' | 'kinematics'>): void {
  const { limits } = rules;
  if (order.kind === 'stop') return;
  if (order.kind === 'jog') withinJog(order, limits);
  else withinMove(order.distanceMm, order.angleDdeg, rules);
  if (order.maxSpeedMmps > limits.maxSpeedMmps) {
    throw outOfRange('maxSpeed', order.maxSpeedMmps, limits.maxSpeedMmps, 'mm/s');
  }
}

function withinMove(
  distanceMm: number,
  angleDdeg: number,
  { kinematics, limits }: Pick<RequestRules, 'limits' | 'kinematics'>,
): void {
  if (Math.abs(distanceMm) > limits.maxDistanceMm) {
    throw outOfRange('distanceID', distanceMm, limits.maxDistanceMm, 'mm');
  }
  const maxDeg =
    kinematics.type === 'ackermann'
      ? Math.min(kinematics.maxSteerDeg, limits.maxAngleDeg)
      : limits.maxAngleDeg;
  if (Math.abs(angleDdeg) > maxDeg * 10) throw outOfRange('angleID', angleDdeg / 10, maxDeg, 'deg');
}

/** A jog's distance and angle are speeds, in mm/s and tenths of a degree per second. */
function withinJog({ distanceMm, angleDdeg }: Order, limits: LimitsSettings): void {
  if (Math.abs(distanceMm) > limits.maxSpeedMmps) {
    throw outOfRange('distanceID', distanceMm, limits.maxSpeedMmps, 'mm/s');
  }
  if (Math.abs(angleDdeg) > MAX_TURN_DEGPS * 10) {
    throw outOfRange('angleID', angleDdeg / 10, MAX_TURN_DEGPS, 'deg/s');
  }
}

function outOfRange(field: string, value: number, limit: number, unit: string): GatewayError {
  return new GatewayError('RANGE', cartMessage('range', { field, value, unit: unitText(unit), limit }), {
    field,
    limit,
    unit,
  });
}

import { type Actor, actorName, readActor } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { wholeNumber } from './fields.js';
import { commissioningMessage } from './messages.js';

/** A person measured how far the cart rolls after a stop has been requested. */
export interface BrakeTest {
  /** Speed when the stop was requested. */
  speedMmps: number;
  distanceMm: number;
  /** What the cart carried. */
  load: string;
  by: Actor;
  /** Unix time in ms. */
  at: number;
  /** Present if an administrator has declared the measurement wrong; it then has no effect. */
  withdrawn?: { by: Actor; at: number };
}

/**
 * The part of the measured distance that counts as reaction time. The motion gate assumes at least twice this time, so
 * that its stopping distance is not too short for speeds of up to twice the tested speed and any true
 * reaction time.
 */
const REACTION_S = 0.15;
/** The lowest speed of a test, as a share of the speed limit. */
const MIN_SHARE = 0.5;
/** Below this deceleration, a measurement is implausible. */
const MIN_BRAKING_MMPS2 = 20;
const MAX_SPEED_MMPS = 5000;
const MAX_DISTANCE_MM = 20_000;
const MAX_LOAD = 100;
export const MAX_BRAKE_TESTS = 100;

/** Returns the deceleration after the reaction time, in mm/s²; infinite if the cart stopped within the reaction time. */
export function brakingMmps2({ speedMmps, distanceMm }: Pick<BrakeTest, 'speedMmps' | 'distanceMm'>): number {
  const brakingMm = distanceMm - speedMmps * REACTION_S;
  return brakingMm > 0 ? speedMmps ** 2 / (2 * brakingMm) : Number.POSITIVE_INFINITY;
}

/** Returns the lowest of the configured deceleration and those of the tests that have not been withdrawn. */
export function assumedDecelMmps2(configuredMmps2: number, tests: readonly BrakeTest[]): number {
  const valid = tests.filter(({ withdrawn }) => !withdrawn);
  // Tests in an old or edited record may be below the limit.
  return Math.min(configuredMmps2, ...valid.map((test) => Math.max(MIN_BRAKING_MMPS2, brakingMmps2(test))));
}

/** Returns the tests as sent in API responses. `brakingMmps2` is null if the cart stopped within the reaction time. */
export function brakeTestsView(tests: readonly BrakeTest[]): object[] {
  return tests.map(({ by, withdrawn, ...test }) => {
    const braking = brakingMmps2(test);
    return {
      ...test,
      by: actorName(by),
      brakingMmps2: Number.isFinite(braking) ? Math.round(braking) : null,
      ...(withdrawn ? { withdrawn: { ...withdrawn, by: actorName(withdrawn.by) } } : {}),
    };
  });
}

/** Throws `INVALID_INPUT`. */
export function measuredBraking(
  input: { speedMmps?: unknown; distanceMm?: unknown; load?: unknown },
  maxSpeedMmps: number,
): Pick<BrakeTest, 'speedMmps' | 'distanceMm' | 'load'> {
  const { load = '' } = input;
  const least = Math.ceil(maxSpeedMmps * MIN_SHARE);
  const speedMmps = wholeNumber('speedMmps', input.speedMmps, {
    min: least,
    max: MAX_SPEED_MMPS,
    unit: 'mm/s',
  });
  const distanceMm = wholeNumber('distanceMm', input.distanceMm, {
    min: 1,
    max: MAX_DISTANCE_MM,
    unit: 'mm',
  });
  if (typeof load !== 'string' || load.length > MAX_LOAD) {
    throw new GatewayError('INVALID_INPUT', `load must be a string of at most ${MAX_LOAD} characters`, {
      field: 'load',
      limit: MAX_LOAD,
      unit: 'characters',
    });
  }
  if (brakingMmps2({ speedMmps, distanceMm }) < MIN_BRAKING_MMPS2) {
    const limit = MIN_BRAKING_MMPS2;
    throw new GatewayError('INVALID_INPUT', commissioningMessage('weak-braking', { limit }), {
      field: 'distanceMm',
      limit,
      unit: 'mm/s²',
    });
  }
  return { speedMmps, distanceMm, load: load.trim() };
}

/** Ignores invalid tests, because the file may have been edited by hand. */
export function brakeTestsOf(json: unknown): BrakeTest[] {
  if (!Array.isArray(json)) return [];
  return json.filter(isJsonObject).flatMap(({ speedMmps, distanceMm, load, by, at, withdrawn }) => {
    if (typeof speedMmps !== 'number' || typeof distanceMm !== 'number' || typeof at !== 'number') return [];
    if (!(speedMmps >= 1 && speedMmps <= MAX_SPEED_MMPS && distanceMm >= 1 && distanceMm <= MAX_DISTANCE_MM))
      return [];
    if (typeof load !== 'string' || by === undefined) return [];
    const test = { speedMmps, distanceMm, load, by: readActor(by), at };
    if (!isJsonObject(withdrawn) || typeof withdrawn.at !== 'number') return [test];
    return [{ ...test, withdrawn: { by: readActor(withdrawn.by), at: withdrawn.at } }];
  });
}

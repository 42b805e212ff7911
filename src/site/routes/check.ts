import { type LimitsSettings, MAX_TURN_DEGPS, plannedMs } from '../../carts/index.js';
import { signedDegrees } from '../../shared/angles.js';
import type { PlanPose } from '../../shared/ports/navigation/plan-pose.js';
import { type GateSite, gateMotion, INITIAL_GATE_STATE } from '../zones/motion-gate.js';
import type { Leg, Route } from './route.js';
import { headingOn, nextStep, type RoutePose, type Step } from './steps.js';

const RAD = Math.PI / 180;
/** Time in ms after each motion until the pose of the stationary cart has been measured again. */
const MEASURING_MS = 300;

export interface CheckRules {
  /** Zones and cart; undefined while no zones apply. */
  site: GateSite | undefined;
  /** Covariance with the greatest uncertainty at which the cart may drive at full speed; mm and degrees. */
  covariance: PlanPose['covariance'];
  limits: Pick<LimitsSettings, 'maxSpeedMmps' | 'accelMmps2' | 'decelMmps2'>;
}

export type LegCheck =
  | { ok: true }
  /** `atMm` is how far the cart gets on the leg. */
  | { ok: false; code: 'ZONE_BLOCKED' | 'ZONE_MANUAL_ONLY' | 'POSE_LOST'; zoneId?: string; atMm: number };

export interface RouteCheck {
  lengthM: number;
  durationS: number;
  legs: LegCheck[];
  /** The poses after each motion, for a dry run on the map. */
  path: (RoutePose & { leg: number; atS: number })[];
}

/**
 * Drives a route in the mind: each motion as a run would send it, from the pose at which the previous one ends, with the
 * uncertainty that a run may have. The duration includes turns, stops at corners and waiting times, but no actions of
 * unknown duration.
 */
export function checkRoute({ legs }: Pick<Route, 'legs'>, rules: CheckRules): RouteCheck {
  const [first] = legs;
  if (!first) return { lengthM: 0, durationS: 0, legs: [], path: [] };
  let pose: RoutePose = { ...first, headingDeg: first.headingDeg ?? headingOn(first, legs[1] ?? first) };
  let lengthMm = 0;
  let durationMs = waitMs(first);
  const path = [{ ...poseOf(pose), leg: 0, atS: 0 }];
  const checks: LegCheck[] = [{ ok: true }];
  for (const [nth, leg] of legs.entries()) {
    const from = legs[nth - 1];
    if (!from) continue;
    let check: LegCheck = { ok: true };
    let drivenMm = 0;
    for (let step = nextStep(from, leg, pose); step; step = nextStep(from, leg, pose)) {
      const { speedMmps, fault } = checkStep(step, pose, leg, rules);
      if (fault && check.ok) check = { ...fault, atMm: Math.round(drivenMm + fault.atMm) };
      const { accelMmps2, decelMmps2 } = rules.limits;
      const motion = { distanceMm: step.distanceMm, angleDdeg: step.turnDeg * 10, maxSpeedMmps: speedMmps };
      durationMs += plannedMs(motion, { accelMmps2, decelMmps2 }) + MEASURING_MS;
      drivenMm += Math.abs(step.distanceMm);
      pose = after(pose, step);
      path.push({ ...poseOf(pose), leg: nth, atS: durationMs / 1000 });
    }
    checks.push(check);
    lengthMm += drivenMm;
    durationMs += waitMs(leg);
  }
  return { lengthM: lengthMm / 1000, durationS: durationMs / 1000, legs: checks, path };
}

function checkStep(
  { turnDeg, distanceMm }: Step,
  pose: RoutePose,
  { maxSpeedMmps = Number.POSITIVE_INFINITY }: Leg,
  { site, covariance, limits }: CheckRules,
): { speedMmps: number; fault?: Extract<LegCheck, { ok: false }> } {
  const speedMmps = Math.min(maxSpeedMmps, limits.maxSpeedMmps);
  if (!site) return { speedMmps };
  const { decision } = gateMotion(
    site,
    {
      motion: { kind: 'move', turnDeg, distanceMm, speedMmps, turnDegps: MAX_TURN_DEGPS },
      pose: {
        ...pose,
        covariance,
        state: 'GOOD',
        ageMs: { odometry: 0, markers: null, beacons: null },
      },
      current: { speedMmps: 0, turnDegps: 0 },
      isManual: false,
      isHeld: false,
      isOverridden: false,
      // Returns the lowest speed on the whole way, also with live limits.
      hasLiveLimits: false,
    },
    INITIAL_GATE_STATE,
  );
  if (decision.isPermitted) return { speedMmps: Math.min(speedMmps, decision.maxSpeedMmps) };
  const { code, zoneId, freeDistanceMm = 0 } = decision;
  return {
    speedMmps,
    fault: { ok: false, code, ...(zoneId !== undefined && { zoneId }), atMm: freeDistanceMm },
  };
}

function after({ xMm, yMm, headingDeg }: RoutePose, { turnDeg, distanceMm }: Step): RoutePose {
  const heading = headingDeg + turnDeg;
  return {
    xMm: xMm + distanceMm * Math.cos(heading * RAD),
    yMm: yMm + distanceMm * Math.sin(heading * RAD),
    headingDeg: signedDegrees(heading),
  };
}

function poseOf({ xMm, yMm, headingDeg }: RoutePose): RoutePose {
  return { xMm, yMm, headingDeg };
}

function waitMs({ action }: Leg): number {
  return action?.kind === 'WAIT' ? action.seconds * 1000 : 0;
}

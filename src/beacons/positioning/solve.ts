import type { PlanePoint } from '../../plan/pure.js';

/** A known position and the receiver's estimated distance from it in metres. */
export interface Range extends PlanePoint {
  distanceM: number;
}

/**
 * Fading is normally distributed in dB, so a range's residual is ln(distance to the beacon / estimated
 * distance) / `sigmaLog`, which weights ranges by relative error. Because of the prior, a wide normal
 * distribution around the beacons, contradictory ranges cannot place the receiver far from the beacons.
 */
export interface Problem {
  ranges: readonly Range[];
  sigmaLog: number;
  middle: PlanePoint;
  /** Standard deviation of the prior in each direction, in metres. */
  reachM: number;
}

/** `chi2`: sum of the squared residuals, which are in standard deviations. */
export interface Solution extends PlanePoint {
  chi2: number;
}

/** Lower limit for distances, which keeps the logarithm finite. */
const NEAREST_M = 0.05;
const MAX_STEPS = 60;
const CLOSE_ENOUGH_M = 1e-4;

/** Levenberg-Marquardt descent from `start` to a local minimum. */
export function descend(problem: Problem, start: PlanePoint): Solution {
  let best = linearise(problem, start);
  let damping = 1e-2;
  for (let step = 0; step < MAX_STEPS && damping < 1e9; step += 1) {
    const next = linearise(problem, stepFrom(best, damping));
    if (next.chi2 >= best.chi2) {
      damping *= 5;
      continue;
    }
    const moved = Math.hypot(next.x - best.x, next.y - best.y);
    best = next;
    damping /= 5;
    if (moved < CLOSE_ENOUGH_M) break;
  }
  return { x: best.x, y: best.y, chi2: best.chi2 };
}

export function chi2At({ ranges, sigmaLog, middle, reachM }: Problem, x: number, y: number): number {
  let sum = ((x - middle.x) ** 2 + (y - middle.y) ** 2) / (reachM * reachM);
  for (const range of ranges) {
    const [dx, dy] = [x - range.x, y - range.y];
    const awayM = Math.max(NEAREST_M, Math.sqrt(dx * dx + dy * dy));
    const residual = Math.log(awayM / range.distanceM) / sigmaLog;
    sum += residual * residual;
  }
  return sum;
}

/** Normal matrix (xx, xy, yy) and gradient (gx, gy) of the least-squares problem. */
interface Linear extends Solution {
  xx: number;
  xy: number;
  yy: number;
  gx: number;
  gy: number;
}

function linearise(problem: Problem, { x, y }: PlanePoint): Linear {
  const { ranges, sigmaLog, middle, reachM } = problem;
  const weight = 1 / (reachM * reachM);
  const [gx, gy] = [weight * (x - middle.x), weight * (y - middle.y)];
  const sum = { x, y, chi2: chi2At(problem, x, y), xx: weight, xy: 0, yy: weight, gx, gy };
  for (const range of ranges) {
    const [dx, dy] = [x - range.x, y - range.y];
    const awayM = Math.max(NEAREST_M, Math.hypot(dx, dy));
    const residual = Math.log(awayM / range.distanceM) / sigmaLog;
    const slope = 1 / (awayM * awayM * sigmaLog);
    sum.xx += (dx * slope) ** 2;
    sum.xy += dx * dy * slope * slope;
    sum.yy += (dy * slope) ** 2;
    sum.gx += dx * slope * residual;
    sum.gy += dy * slope * residual;
  }
  return sum;
}

function stepFrom({ x, y, xx, xy, yy, gx, gy }: Linear, damping: number): PlanePoint {
  const [a, d] = [xx * (1 + damping), yy * (1 + damping)];
  const determinant = a * d - xy * xy;
  return { x: x - (d * gx - xy * gy) / determinant, y: y - (a * gy - xy * gx) / determinant };
}

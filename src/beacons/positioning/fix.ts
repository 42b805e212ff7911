import {
  bearingDeg,
  type Ellipse,
  haversineM,
  type LatLong,
  type PlanePoint,
  TangentPlane,
} from '../../plan/pure.js';
import { medianOf } from './filter.js';
import { axesOf, type Covariance, covarianceOf, SAME_POSITION_M, shapeOf } from './geometry.js';
import { FADING_DB } from './ranging.js';
import { descend, type Problem, type Range, type Solution } from './solve.js';
import { covarianceAround, mapAll } from './uncertainty.js';

export interface Anchor extends LatLong {
  distanceM: number;
}

export interface Fix extends LatLong {
  ellipse: Ellipse;
  residuals: Residual[];
  /** A second position in the 95 % region that matches the estimated distances almost as well. */
  alternative?: LatLong;
}

interface Residual {
  /** Distance from the fix to the beacon minus the estimated distance. */
  metres: number;
  /**
   * The residual divided by the standard deviation of the fading. If the quotient's absolute value exceeds 3,
   * the beacon's registered position is probably wrong.
   */
  sigmas: number;
}

export interface NoFix {
  reason: 'too-few' | 'in-line' | 'far-apart';
  /** Two possible positions, one on each side of the line, if the beacons are collinear. */
  candidates: LatLong[];
}

/** Maximum distance of a beacon from the centre of the beacons; long-range Bluetooth reaches only 1 km. */
const FAR_APART_M = 2000;
/** Chi-squared quantile for two degrees of freedom and 95 %. */
const CHI2_95 = 5.991;

/** Computes the position by weighted non-linear least squares, which requires three anchors that are not collinear. */
export function fixPosition(anchors: readonly Anchor[], exponent: number): Fix | NoFix {
  const plane = new TangentPlane(anchors);
  const ranges = anchors.map((anchor) => ({ ...plane.toPlane(anchor), distanceM: anchor.distanceM }));
  if (ranges.some(({ x, y }) => Math.hypot(x, y) > FAR_APART_M))
    return { reason: 'far-apart', candidates: [] };
  const shape = shapeOf(ranges);
  if (shape === 'few') return { reason: 'too-few', candidates: [] };
  const problem = problemOf(ranges, (FADING_DB * Math.LN10) / (10 * exponent));
  const map = mapAll(problem);
  const [best, ...others] = minima(map.peaks.map((peak) => descend(problem, peak)));
  if (!best) return { reason: 'too-few', candidates: [] };
  const [other] = others.filter(({ chi2 }) => chi2 - best.chi2 < CHI2_95);
  if (shape === 'line') {
    const candidates = [best, ...(other ? [other] : [])].map((point) => plane.toGlobe(point));
    return { reason: 'in-line', candidates };
  }
  const place = plane.toGlobe(best);
  return {
    ...place,
    ellipse: ellipseOf(covarianceAround(problem, map, best), best, plane),
    residuals: anchors.map((anchor) => residualOf(anchor, haversineM(place, anchor), problem.sigmaLog)),
    ...(other ? { alternative: plane.toGlobe(other) } : {}),
  };
}

function residualOf({ distanceM }: Anchor, awayM: number, sigmaLog: number): Residual {
  return {
    metres: awayM - distanceM,
    sigmas: Math.log(Math.max(SAME_POSITION_M, awayM) / distanceM) / sigmaLog,
  };
}

function problemOf(ranges: readonly Range[], sigmaLog: number): Problem {
  const weights = ranges.map(({ distanceM }) => 1 / (distanceM * distanceM));
  const total = weights.reduce((a, b) => a + b, 0);
  const middle = { x: 0, y: 0 };
  ranges.forEach(({ x, y }, i) => {
    const share = (weights[i] ?? 0) / total;
    middle.x += share * x;
    middle.y += share * y;
  });
  const { xx, yy } = covarianceOf(ranges);
  const typicalM = medianOf(ranges.map(({ distanceM }) => distanceM)) ?? 0;
  return { ranges, sigmaLog, middle, reachM: Math.sqrt(xx + yy + 2 * typicalM * typicalM) };
}

function ellipseOf(covariance: Covariance, at: PlanePoint, plane: TangentPlane): Ellipse {
  const { long, short, angle } = axesOf(covariance);
  // The bearing is computed on the globe: near a pole, north on the plane differs from true north.
  const ahead = { x: at.x + Math.cos(angle), y: at.y + Math.sin(angle) };
  return {
    semiMajorM: Math.sqrt(long * CHI2_95),
    semiMinorM: Math.sqrt(short * CHI2_95),
    bearingDeg: bearingDeg(plane.toGlobe(at), plane.toGlobe(ahead)) % 180,
    probability: 0.95,
  };
}

/** Solutions more than 1 m apart, best first. */
function minima(ends: readonly Solution[]): Solution[] {
  const found: Solution[] = [];
  for (const end of ends.toSorted((a, b) => a.chi2 - b.chi2)) {
    if (found.every(({ x, y }) => Math.hypot(end.x - x, end.y - y) > 1)) found.push(end);
  }
  return found;
}

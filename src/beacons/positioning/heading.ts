import type { PlanePoint } from '../../plan/pure.js';
import { positiveDegrees } from '../../shared/angles.js';

export interface TrackPoint {
  fix: PlanePoint;
  odometer: PlanePoint;
}

/** Minimum number of positions; if there are fewer, noise determines the direction. */
const MIN_POINTS = 5;
/** Minimum extent of the track: the root mean square distance from its centre. */
const MIN_SPREAD_M = 1;
const MAX_ERROR_RAD = Math.PI / 18;

/**
 * Returns the rotation of the odometer's axes relative to the map, in radians counterclockwise (least
 * squares); undefined if the track is too short or the fit is too poor.
 */
export function odometerRotation(track: readonly TrackPoint[]): number | undefined {
  const count = track.length;
  if (count < MIN_POINTS) return undefined;
  const fixes = centred(track.map(({ fix }) => fix));
  const odometer = centred(track.map((point) => point.odometer));
  let [re, im, square, fixSquare] = [0, 0, 0, 0];
  for (const [i, { x, y }] of odometer.entries()) {
    const fix = fixes[i] ?? { x: 0, y: 0 };
    re += x * fix.x + y * fix.y;
    im += x * fix.y - y * fix.x;
    square += x * x + y * y;
    fixSquare += fix.x ** 2 + fix.y ** 2;
  }
  if (Math.sqrt(square / count) < MIN_SPREAD_M) return undefined;
  const residual = Math.max(0, square + fixSquare - 2 * Math.hypot(re, im));
  const error = Math.sqrt(residual / (count - 2) / square);
  return error <= MAX_ERROR_RAD ? Math.atan2(im, re) : undefined;
}

/** Converts degrees counterclockwise from the odometer's x axis to degrees clockwise from north. */
export function bearingOf(headingDeg: number, rotationRad: number): number {
  return positiveDegrees(90 - headingDeg - (rotationRad * 180) / Math.PI);
}

function centred(points: readonly PlanePoint[]): PlanePoint[] {
  const middle = (of: (point: PlanePoint) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [middle((point) => point.x), middle((point) => point.y)];
  return points.map((point) => ({ x: point.x - x, y: point.y - y }));
}

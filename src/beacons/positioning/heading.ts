import type { PlanePoint } from './geodesy.js';

/** Where beacons had a cart, and where its odometer had it at that moment; metres. */
export interface TrackPoint {
  fix: PlanePoint;
  odometer: PlanePoint;
}

/** Two places by beacons are not worth a direction: noise would be one. */
const POINTS_LEAST = 5;
/** The cart must have come about this far, or its way says nothing. Metres, root mean square from the middle. */
const SPREAD_LEAST_M = 1;
/** One standard deviation of the turn. */
const ERROR_MOST_RAD = Math.PI / 18;

/**
 * How far the odometer's axes are turned against those of the map, radians counterclockwise: the turn that lays one way
 * best upon the other (least squares). An odometer has a heading, but does not know where north is; beacons know where
 * the cart is, but not where it looks. Undefined while the way is too short or fits too badly.
 */
export function turnOf(track: readonly TrackPoint[]): number | undefined {
  const count = track.length;
  if (count < POINTS_LEAST) return undefined;
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
  if (Math.sqrt(square / count) < SPREAD_LEAST_M) return undefined;
  // What is left when the turned way is taken from that of the beacons.
  const rest = Math.max(0, square + fixSquare - 2 * Math.hypot(re, im));
  const error = Math.sqrt(rest / (count - 2) / square);
  return error <= ERROR_MOST_RAD ? Math.atan2(im, re) : undefined;
}

/** Degrees clockwise from north, of a heading counterclockwise from the odometer's x axis. */
export function bearingOf(headingDeg: number, turnRad: number): number {
  const bearing = 90 - headingDeg - (turnRad * 180) / Math.PI;
  return ((bearing % 360) + 360) % 360;
}

function centred(points: readonly PlanePoint[]): PlanePoint[] {
  const middle = (of: (point: PlanePoint) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [middle((point) => point.x), middle((point) => point.y)];
  return points.map((point) => ({ x: point.x - x, y: point.y - y }));
}

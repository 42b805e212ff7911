import { GatewayError } from '../../shared/errors.js';
import { haversineM, type LatLong, TangentPlane } from '../frame/geodesy.js';

/** Two pixels with known positions georeference a plan that is drawn to scale and not mirrored. */

/** Pixels from the image's top-left corner: x to the right, y down. */
interface Pixel {
  x: number;
  y: number;
}

export interface ReferencePoint extends Pixel, LatLong {}

export interface PlanImageSize {
  width: number;
  height: number;
}

export interface Placement {
  metresPerPixel: number;
  /** Clockwise rotation in degrees; 0 if north is at the top of the image. */
  rotationDeg: number;
  topLeft: LatLong;
  topRight: LatLong;
  bottomLeft: LatLong;
}

/** Minimum distance between the two points; at this distance, an error of one pixel rotates the plan by 0.6°. */
export const MIN_PIXELS_APART = 100;
const METRES_APART = { min: 0.5, max: 20_000 };
/** Limit of the Web Mercator projection, in degrees. */
const MAX_LAT = 85;

/** Throws `INVALID_INPUT` with the name of the invalid field. */
export function placementOf(
  points: readonly [ReferencePoint, ReferencePoint],
  size: PlanImageSize,
): Placement {
  for (const [at, point] of points.entries()) checkPoint(point, size, at);
  const [first, second] = points;
  const plane = new TangentPlane(points);
  const [from, to] = [plane.toPlane(first), plane.toPlane(second)];
  const pixels = { x: second.x - first.x, y: first.y - second.y };
  const metres = { x: to.x - from.x, y: to.y - from.y };
  checkApart(Math.hypot(pixels.x, pixels.y), haversineM(first, second));
  const square = pixels.x ** 2 + pixels.y ** 2;
  const re = (metres.x * pixels.x + metres.y * pixels.y) / square;
  const im = (metres.y * pixels.x - metres.x * pixels.y) / square;
  const globe = (x: number, y: number): LatLong => {
    const [right, up] = [x - first.x, first.y - y];
    return plane.toGlobe({ x: from.x + re * right - im * up, y: from.y + im * right + re * up });
  };
  return {
    metresPerPixel: Math.hypot(re, im),
    rotationDeg: (-Math.atan2(im, re) * 180) / Math.PI + 0,
    topLeft: globe(0, 0),
    topRight: globe(size.width, 0),
    bottomLeft: globe(0, size.height),
  };
}

function checkPoint({ x, y, lat }: ReferencePoint, { width, height }: PlanImageSize, at: number): void {
  const reject = (name: string, limit: number, unit: string): never => {
    throw new GatewayError(
      'INVALID_INPUT',
      `${name} of point ${at + 1} must be between ${name === 'lat' ? -limit : 0} and ${limit} ${unit}`,
      { field: `points/${at}/${name}`, limit, unit },
    );
  };
  if (!(x >= 0 && x <= width)) reject('x', width, 'px');
  if (!(y >= 0 && y <= height)) reject('y', height, 'px');
  if (Math.abs(lat) > MAX_LAT) reject('lat', MAX_LAT, 'degrees');
}

function checkApart(pixels: number, metres: number): void {
  if (pixels < MIN_PIXELS_APART) {
    throw new GatewayError(
      'INVALID_INPUT',
      `the two points are ${Math.round(pixels)} px apart in the image; they must be at least ${MIN_PIXELS_APART} px apart`,
      {
        field: 'points/1/x',
        limit: MIN_PIXELS_APART,
        unit: 'px',
        hint: 'Choose two points at opposite ends of the plan.',
      },
    );
  }
  const { min, max } = METRES_APART;
  if (metres >= min && metres <= max) return;
  const [bound, limit] = metres < min ? ['at least', min] : ['at most', max];
  throw new GatewayError(
    'INVALID_INPUT',
    `the positions of the two points are ${metres < 10 ? metres.toFixed(2) : Math.round(metres)} m apart; they must be ${bound} ${limit} m apart`,
    {
      field: 'points/1/lat',
      limit,
      unit: 'm',
      hint: 'Check the latitude and longitude of both points.',
    },
  );
}

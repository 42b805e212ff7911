import { GatewayError } from '../../shared/errors.js';
import { haversineM, type LatLong, TangentPlane } from '../positioning/geodesy.js';

/**
 * Where a floor plan lies on the globe: two of its pixels at two known places give scale and rotation. Pure. A plan is
 * taken as drawn to scale and not mirrored, so two points are exactly enough.
 */

/** Pixels from the top left corner of the picture: x to the right, y down. */
interface Pixel {
  x: number;
  y: number;
}

/** A pixel whose place is known. */
export interface ReferencePoint extends Pixel, LatLong {}

/** Width and height, px. */
export interface PictureSize {
  width: number;
  height: number;
}

export interface Placement {
  metresPerPixel: number;
  /** Degrees that the picture is turned clockwise: 0 = its top is north. */
  rotationDeg: number;
  topLeft: LatLong;
  topRight: LatLong;
  bottomLeft: LatLong;
}

/** Closer together, one pixel of a careless click turns the plan by more than half a degree. */
const PIXELS_APART_LEAST = 100;
const METRES_APART = { least: 0.5, most: 20_000 };
/** Where the maps of the web end. */
const MAX_LAT = 85;

/** Throws `INVALID_INPUT` with the field at fault when the points do not tell where the picture lies. */
export function place(points: readonly [ReferencePoint, ReferencePoint], size: PictureSize): Placement {
  for (const [at, point] of points.entries()) checkPoint(point, size, at);
  const [first, second] = points;
  const plane = new TangentPlane(points);
  const [from, to] = [plane.toPlane(first), plane.toPlane(second)];
  // Both as complex numbers with y up: their quotient is the scale and the turn.
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
    // Adding 0 makes 0 of -0.
    rotationDeg: (-Math.atan2(im, re) * 180) / Math.PI + 0,
    topLeft: globe(0, 0),
    topRight: globe(size.width, 0),
    bottomLeft: globe(0, size.height),
  };
}

function checkPoint({ x, y, lat }: ReferencePoint, { width, height }: PictureSize, at: number): void {
  const refuse = (name: string, limit: number, unit: string): never => {
    throw new GatewayError(
      'INVALID_INPUT',
      `${name} of point ${at + 1} must be from ${name === 'lat' ? -limit : 0} to ${limit} ${unit}`,
      { field: `points/${at}/${name}`, limit, unit },
    );
  };
  if (!(x >= 0 && x <= width)) refuse('x', width, 'px');
  if (!(y >= 0 && y <= height)) refuse('y', height, 'px');
  if (Math.abs(lat) > MAX_LAT) refuse('lat', MAX_LAT, 'degrees');
}

function checkApart(pixels: number, metres: number): void {
  if (pixels < PIXELS_APART_LEAST) {
    throw new GatewayError(
      'INVALID_INPUT',
      `the two points are ${Math.round(pixels)} px apart in the picture: they must be at least ${PIXELS_APART_LEAST} px apart`,
      {
        ...{ field: 'points/1/x', limit: PIXELS_APART_LEAST, unit: 'px' },
        hint: 'Choose two points at opposite ends of the plan.',
      },
    );
  }
  const { least, most } = METRES_APART;
  if (metres >= least && metres <= most) return;
  const [what, limit] = metres < least ? ['at least', least] : ['at most', most];
  throw new GatewayError(
    'INVALID_INPUT',
    `the places of the two points are ${metres < 10 ? metres.toFixed(2) : Math.round(metres)} m apart: they must be ${what} ${limit} m apart`,
    {
      ...{ field: 'points/1/lat', limit, unit: 'm' },
      hint: 'Check latitude and longitude of both points.',
    },
  );
}

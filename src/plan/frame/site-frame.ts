import { EARTH_RADIUS_M, type LatLong, TangentPlane } from './geodesy.js';

/** A position in metres from the origin; negative to the west and to the south. */
export interface Offset {
  eastM: number;
  northM: number;
}

/** Origin of a site that has no coordinates, so that beacons can be entered in metres alone. */
const NOWHERE: LatLong = { lat: 0, long: 0 };
/** The origin is rounded to about 111 m, so that it stays in place when beacons are added. */
const STEPS_PER_DEGREE = 1000;
const NEAR_DEGREES = 0.1;
/** The index stores 32-bit coordinates, rounded down by up to 0.000015 degrees. */
const INDEX_ERROR = 0.00002;

/**
 * Returns the floor plan's bottom left corner or, without a floor plan, a rounded position to the south-west of the
 * beacons. Beacons that were entered in metres keep the origin 0, 0.
 */
export function siteOriginOf(planCorner: LatLong | undefined, southWest: LatLong | undefined): LatLong {
  if (planCorner) return planCorner;
  if (!southWest || Math.hypot(southWest.lat, southWest.long) < NEAR_DEGREES) return NOWHERE;
  const down = (degrees: number): number =>
    Math.floor((degrees + INDEX_ERROR) * STEPS_PER_DEGREE) / STEPS_PER_DEGREE;
  return { lat: Math.max(-90, down(southWest.lat)), long: Math.max(-180, down(southWest.long)) };
}

/** Returns true if beacons are entered in metres alone, or if there are no beacons. */
export function isUnlocated({ lat, long }: LatLong): boolean {
  return lat === NOWHERE.lat && long === NOWHERE.long;
}

/** Returns the offset from the origin, rounded to centimetres. */
export function offsetFrom(origin: LatLong, place: LatLong): Offset {
  const { x, y } = new TangentPlane([origin]).toPlane(place);
  return { eastM: centimetres(x), northM: centimetres(y) };
}

/** Coordinates with 8 decimal places, about 1 mm; undefined beyond half the Earth's circumference. */
export function placeAt(origin: LatLong, { eastM, northM }: Offset): LatLong | undefined {
  if (!(Math.hypot(eastM, northM) < Math.PI * EARTH_RADIUS_M)) return undefined;
  const { lat, long } = new TangentPlane([origin]).toGlobe({ x: eastM, y: northM });
  return { lat: Number(lat.toFixed(8)), long: Number(long.toFixed(8)) };
}

function centimetres(metres: number): number {
  return Math.round(metres * 100) / 100 + 0;
}

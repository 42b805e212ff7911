import { EARTH_RADIUS_M, type LatLong, TangentPlane } from './geodesy.js';

/** A position in metres from the origin; negative to the west and to the south. */
export interface Offset {
  eastM: number;
  northM: number;
}

/** Origin of a site without any coordinates, so that beacons can be entered in metres alone. */
const NOWHERE: LatLong = { lat: 0, long: 0 };
/** One step is about 111 m. Coarse steps keep the origin in place when beacons are added. */
const STEPS_PER_DEGREE = 1000;
const NEAR_DEGREES = 0.1;
/** The index stores 32-bit coordinates, rounded down by up to 0.000015 degrees. */
const INDEX_ERROR = 0.00002;

/**
 * Chooses the origin of the positions in metres: the floor plan's bottom left corner or, without a floor
 * plan, a rounded position to the south-west of the beacons. Beacons that were entered in metres keep the
 * origin 0, 0.
 */
export function originOf(planCorner: LatLong | undefined, southWest: LatLong | undefined): LatLong {
  if (planCorner) return planCorner;
  if (!southWest || Math.hypot(southWest.lat, southWest.long) < NEAR_DEGREES) return NOWHERE;
  const down = (degrees: number): number =>
    Math.floor((degrees + INDEX_ERROR) * STEPS_PER_DEGREE) / STEPS_PER_DEGREE;
  return { lat: Math.max(-90, down(southWest.lat)), long: Math.max(-180, down(southWest.long)) };
}

/** Rounded to centimetres. */
export function offsetFrom(origin: LatLong, place: LatLong): Offset {
  const { x, y } = new TangentPlane([origin]).toPlane(place);
  return { eastM: centimetres(x), northM: centimetres(y) };
}

/** Rounded to 8 decimal places, about 1 mm. Undefined if the offset exceeds half the Earth's circumference. */
export function placeAt(origin: LatLong, { eastM, northM }: Offset): LatLong | undefined {
  if (!(Math.hypot(eastM, northM) < Math.PI * EARTH_RADIUS_M)) return undefined;
  const { lat, long } = new TangentPlane([origin]).toGlobe({ x: eastM, y: northM });
  return { lat: Number(lat.toFixed(8)), long: Number(long.toFixed(8)) };
}

function centimetres(metres: number): number {
  return Math.round(metres * 100) / 100 + 0;
}

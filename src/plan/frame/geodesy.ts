/** Mean radius of the WGS 84 ellipsoid (IUGG R1). */
export const EARTH_RADIUS_M = 6_371_008.8;

const DEGREE = Math.PI / 180;

/** A position in degrees, WGS 84. */
export interface LatLong {
  lat: number;
  long: number;
}

/** Metres east and north of a plane's origin. */
export interface PlanePoint {
  x: number;
  y: number;
}

type Vector = readonly [number, number, number];

/**
 * Returns the great-circle distance in metres; accurate for small distances, across the antimeridian and at the poles.
 */
export function haversineM(a: LatLong, b: LatLong): number {
  const lat = Math.sin(((b.lat - a.lat) * DEGREE) / 2);
  const long = Math.sin(((b.long - a.long) * DEGREE) / 2);
  const h = lat * lat + Math.cos(a.lat * DEGREE) * Math.cos(b.lat * DEGREE) * long * long;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Returns the initial bearing from `a` to `b` in degrees clockwise from north, 0 <= bearing < 360. */
export function bearingDeg(a: LatLong, b: LatLong): number {
  const [lat1, lat2, long] = [a.lat * DEGREE, b.lat * DEGREE, (b.long - a.long) * DEGREE];
  const east = Math.sin(long) * Math.cos(lat2);
  const north = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(long);
  return (Math.atan2(east, north) / DEGREE + 360) % 360;
}

/**
 * Azimuthal equidistant projection around the centre of the positions, accurate to 1 mm per km within 20 km
 * of the centre. Computed with vectors, which need no special cases for the antimeridian and the poles.
 */
export class TangentPlane {
  #up: Vector;
  #east: Vector;
  #north: Vector;

  constructor(places: readonly LatLong[]) {
    const sum = places.map(toVector).reduce(add, [0, 0, 0]);
    // If the vectors cancel out, no point is close to most positions, so an arbitrary centre is used.
    this.#up = Math.hypot(...sum) < 1e-9 ? [1, 0, 0] : scale(sum, 1 / Math.hypot(...sum));
    const [x, y] = this.#up;
    const length = Math.hypot(x, y);
    this.#east = length < 1e-12 ? [0, 1, 0] : [-y / length, x / length, 0];
    this.#north = cross(this.#up, this.#east);
  }

  toPlane(place: LatLong): PlanePoint {
    const vector = toVector(place);
    const [x, y] = [dot(vector, this.#east), dot(vector, this.#north)];
    const sine = Math.hypot(x, y);
    const angle = Math.atan2(sine, dot(vector, this.#up));
    const metres = sine === 0 ? EARTH_RADIUS_M : (EARTH_RADIUS_M * angle) / sine;
    return { x: x * metres, y: y * metres };
  }

  toGlobe({ x, y }: PlanePoint): LatLong {
    const metres = Math.hypot(x, y);
    const angle = metres / EARTH_RADIUS_M;
    const sideways = metres === 0 ? 0 : Math.sin(angle) / metres;
    const vector = [this.#east, this.#north, this.#up]
      .map((axis, i) => scale(axis, [x * sideways, y * sideways, Math.cos(angle)][i] ?? 0))
      .reduce(add, [0, 0, 0]);
    const [a, b, c] = vector;
    return { lat: Math.atan2(c, Math.hypot(a, b)) / DEGREE, long: Math.atan2(b, a) / DEGREE };
  }
}

function toVector({ lat, long }: LatLong): Vector {
  const [phi, lambda] = [lat * DEGREE, long * DEGREE];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

function dot([a, b, c]: Vector, [x, y, z]: Vector): number {
  return a * x + b * y + c * z;
}

function cross([a, b, c]: Vector, [x, y, z]: Vector): Vector {
  return [b * z - c * y, c * x - a * z, a * y - b * x];
}

function add([a, b, c]: Vector, [x, y, z]: Vector): Vector {
  return [a + x, b + y, c + z];
}

function scale([a, b, c]: Vector, by: number): Vector {
  return [a * by, b * by, c * by];
}

/** Maximum distance from the centre of a site. Positions farther away are mistakes, such as exchanged coordinates. */
const SITE_M = 20_000;

/**
 * Returns the positions within 20 km of `centre` or, if it is undefined, of the median position. If a single position
 * were wrong, a map of all positions would be too small to read. Without any position near the median, as with two
 * distant positions, the first position determines the site.
 */
export function onSite<T extends LatLong>(positions: readonly T[], centre?: LatLong): T[] {
  const near = (place: LatLong): T[] => positions.filter((position) => haversineM(position, place) <= SITE_M);
  if (centre) return near(centre);
  const [first] = positions;
  if (!first) return [];
  const middle = (values: number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
  const aroundMedian = near({
    lat: middle(positions.map(({ lat }) => lat)),
    long: middle(positions.map(({ long }) => long)),
  });
  return aroundMedian.length > 0 ? aroundMedian : near(first);
}

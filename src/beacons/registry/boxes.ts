import { EARTH_RADIUS_M, haversineM, type LatLong } from '../../plan/pure.js';

/** A box in degrees. If west exceeds east, it crosses the antimeridian and must be divided with `split`. */
export interface Box {
  south: number;
  north: number;
  west: number;
  east: number;
}

const DEGREE = Math.PI / 180;

export function split(box: Box): Box[] {
  if (box.west <= box.east) return [box];
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ];
}

export function contains({ south, north, west, east }: Box, { lat, long }: LatLong): boolean {
  return lat >= south && lat <= north && long >= west && long <= east;
}

export function quarter({ south, north, west, east }: Box): Box[] {
  const [lat, long] = [(south + north) / 2, (west + east) / 2];
  return [
    { south, north: lat, west, east: long },
    { south, north: lat, west: long, east },
    { south: lat, north, west, east: long },
    { south: lat, north, west: long, east },
  ];
}

/** Returns the shortest great-circle distance to the box in metres; 0 inside the box. */
export function distanceToBoxM(place: LatLong, box: Box): number {
  if (place.long >= box.west && place.long <= box.east) {
    const degrees = Math.max(0, box.south - place.lat, place.lat - box.north);
    // The distance is measured along the meridian; the route over a pole is never shorter.
    return degrees * DEGREE * EARTH_RADIUS_M;
  }
  return Math.min(distanceToMeridianM(place, box, box.west), distanceToMeridianM(place, box, box.east));
}

/** Returns the distance to the meridian segment: to one of its ends or to the foot of the perpendicular. */
function distanceToMeridianM(place: LatLong, { south, north }: Box, long: number): number {
  const turn = (place.long - long) * DEGREE;
  const foot =
    Math.atan2(Math.sin(place.lat * DEGREE), Math.cos(place.lat * DEGREE) * Math.cos(turn)) / DEGREE;
  const lats = foot > south && foot < north ? [south, north, foot] : [south, north];
  return Math.min(...lats.map((lat) => haversineM(place, { lat, long })));
}

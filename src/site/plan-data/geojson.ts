import { requireWgs84 } from '../../beacons/index.js';
import { type LatLong, PlanFrame, type PlanView } from '../../plan/index.js';
import { type Fault, GatewayError } from '../../shared/errors.js';
import type { Message } from '../../shared/messages/message.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { siteMessage } from '../messages.js';
import type { Zone } from '../zones/zone.js';
import type { Place } from './schema.js';
import { noFloorPlan } from './site-plan.js';

/** RFC 7946. All members of a zone or a place except its position are properties of a feature. */
interface Feature {
  type: 'Feature';
  geometry: { type: 'Polygon'; coordinates: Position[][] } | { type: 'Point'; coordinates: Position };
  properties: object;
}

export interface FeatureCollection {
  type: 'FeatureCollection';
  features: Feature[];
}

type Position = [longitude: number, latitude: number];

/** Decimal places of degrees: 0.1 mm on the ground, so that an export can be imported without a change. */
const DECIMALS = 9;
const HEADING_DECIMALS = 6;

/** Returns polygons that are counterclockwise, as RFC 7946 (3.1.6) requires. Throws `CONFLICT` without a position. */
export function zonesToGeoJson(zones: readonly Zone[], floor: PlanView | undefined): FeatureCollection {
  const frame = planFrameOf(floor);
  return collectionOf(
    zones.map(({ polygon, ...properties }) => {
      const ring = polygon.map(([xMm, yMm]) => positionOf(frame.toGlobe({ xMm, yMm })));
      if (isClockwise(polygon)) ring.reverse();
      const coordinates = [[...ring, ...ring.slice(0, 1)]];
      return { type: 'Feature', geometry: { type: 'Polygon', coordinates }, properties };
    }),
  );
}

/** Replaces `headingDeg` with `bearingDeg`, clockwise from north, which does not depend on the floor plan. */
export function placesToGeoJson(places: readonly Place[], floor: PlanView | undefined): FeatureCollection {
  const frame = planFrameOf(floor);
  return collectionOf(
    places.map(({ xMm, yMm, headingDeg, ...properties }) => {
      const coordinates = positionOf(frame.toGlobe({ xMm, yMm }));
      const bearingDeg = rounded(frame.turned(headingDeg), HEADING_DECIMALS);
      return {
        type: 'Feature',
        geometry: { type: 'Point', coordinates },
        properties: { ...properties, bearingDeg },
      };
    }),
  );
}

/** Returns true for GeoJSON, even if it is invalid. The JSON of zones and places has no `type`. */
export function isGeoJson(body: unknown): boolean {
  return isJsonObject(body) && typeof body.type === 'string';
}

/**
 * Returns the body of `putZones`, whose properties are not yet validated. Throws `INVALID_INPUT` with every invalid
 * feature, or `CONFLICT` without a position.
 */
export function zonesOfGeoJson(body: unknown, floor: PlanView | undefined): { zones: unknown[] } {
  const frame = planFrameOf(floor);
  const zones = featuresOf(body, ({ geometry, properties }) => {
    const polygon = ringOf(geometry)?.map((position): [number, number] => {
      const { xMm, yMm } = pointOf(position, frame);
      return [xMm, yMm];
    });
    return polygon ? { ...properties, polygon } : siteMessage('geojson-polygon');
  });
  return { zones };
}

/** Returns the body of `putPlaces`. Throws like `zonesOfGeoJson`. */
export function placesOfGeoJson(body: unknown, floor: PlanView | undefined): { places: unknown[] } {
  const frame = planFrameOf(floor);
  const places = featuresOf(body, ({ geometry, properties: { bearingDeg, ...properties } }) => {
    if (!isJsonObject(geometry) || geometry.type !== 'Point' || !isPosition(geometry.coordinates)) {
      return siteMessage('geojson-point');
    }
    // A bearing that is not a number is rejected like any other invalid heading.
    const headingDeg =
      typeof bearingDeg === 'number' ? rounded(frame.turned(bearingDeg), HEADING_DECIMALS) : bearingDeg;
    const heading = headingDeg === undefined ? {} : { headingDeg };
    return { ...properties, ...pointOf(geometry.coordinates, frame), ...heading };
  });
  return { places };
}

function featuresOf(
  body: unknown,
  read: (feature: { geometry: unknown; properties: Record<string, unknown> }) => object | Message,
): object[] {
  requireWgs84(body);
  if (!isJsonObject(body) || body.type !== 'FeatureCollection' || !Array.isArray(body.features)) {
    throw new GatewayError('INVALID_INPUT', siteMessage('geojson'), { field: 'type' });
  }
  const faults: Fault[] = [];
  const items = body.features.flatMap((feature: unknown, nth) => {
    const item = readFeature(feature, read);
    if (!('code' in item)) return [item];
    const message = siteMessage('geojson-feature', { feature: nth + 1, fault: item });
    faults.push({ path: `/features/${nth}`, message });
    return [];
  });
  const [first] = faults;
  if (!first) return items;
  throw new GatewayError('INVALID_INPUT', first.message, { field: first.path.slice(1), faults });
}

function readFeature(feature: unknown, read: Parameters<typeof featuresOf>[1]): object | Message {
  if (!isJsonObject(feature) || feature.type !== 'Feature') return siteMessage('not-a-feature');
  const properties = isJsonObject(feature.properties) ? feature.properties : {};
  return read({ geometry: feature.geometry, properties });
}

/** Returns the corners of a polygon, without the last position, which repeats the first one. */
function ringOf(geometry: unknown): Position[] | undefined {
  if (!isJsonObject(geometry) || geometry.type !== 'Polygon' || !Array.isArray(geometry.coordinates)) {
    return undefined;
  }
  const [ring, ...holes]: unknown[] = geometry.coordinates;
  if (!Array.isArray(ring) || holes.length > 0 || !ring.every(isPosition)) return undefined;
  const [first, last] = [ring.at(0), ring.at(-1)];
  return first && last && first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : undefined;
}

/** Positions may have an altitude, which is ignored. */
function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && [value[0], value[1]].every((one) => typeof one === 'number');
}

function planFrameOf(floor: PlanView | undefined): PlanFrame {
  if (!floor?.placement) throw noFloorPlan();
  return new PlanFrame(floor.placement.bottomLeft, floor.placement.rotationDeg);
}

function pointOf([long, lat]: Position, frame: PlanFrame): { xMm: number; yMm: number } {
  const { xMm, yMm } = frame.toPlan({ lat, long });
  return { xMm: Math.round(xMm) + 0, yMm: Math.round(yMm) + 0 };
}

function positionOf({ lat, long }: LatLong): Position {
  return [rounded(long, DECIMALS), rounded(lat, DECIMALS)];
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function isClockwise(polygon: Zone['polygon']): boolean {
  const twice = polygon.reduce((sum, [x1, y1], nth) => {
    const [x2, y2] = polygon[(nth + 1) % polygon.length] ?? [x1, y1];
    return sum + (x1 * y2 - x2 * y1);
  }, 0);
  return twice < 0;
}

function collectionOf(features: Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { beaconMessage } from '../messages.js';
import { type Entries, fieldNamed } from './entries.js';

/** Features read in one event-loop iteration. */
const SLICE = 500;
/** Names of WGS 84 in the member `crs` of GeoJSON from before RFC 7946, with [longitude, latitude] positions. */
const WGS84 = /^(urn:ogc:def:crs:)?(OGC:[\d.]*:?CRS84|EPSG:[\d.]*:?4326)$/i;

/** Returns true for GeoJSON, even if it is invalid. Other JSON imports have no `type`. */
export function isGeoJson(value: unknown): boolean {
  return isJsonObject(value) && typeof value.type === 'string';
}

/**
 * Reads RFC 7946 features of points: a FeatureCollection or a single Feature. The ID is the `id` property; if it is
 * missing, the feature's `id`. Ignores foreign members and altitudes (6.1 and 3.1.1). Throws `INVALID_INPUT` for
 * another type or a coordinate reference system other than WGS 84.
 */
export async function readGeoJson(value: unknown, entries: Entries): Promise<void> {
  requireWgs84(value);
  if (isJsonObject(value) && value.type === 'FeatureCollection' && Array.isArray(value.features)) {
    for (const [at, feature] of value.features.entries()) {
      if (at % SLICE === SLICE - 1) await nextTurn();
      addFeature(feature, entries);
    }
    return;
  }
  if (isJsonObject(value) && value.type === 'Feature') return addFeature(value, entries);
  throw new GatewayError('INVALID_INPUT', beaconMessage('import-geojson'), { field: 'type' });
}

function addFeature(feature: unknown, entries: Entries): void {
  if (!isJsonObject(feature) || feature.type !== 'Feature') {
    return entries.addFault('', beaconMessage('import-feature'));
  }
  requireWgs84(feature);
  requireWgs84(feature.geometry);
  const properties = feature.properties ?? {};
  if (!isJsonObject(properties)) return entries.addFault('/properties', beaconMessage('import-properties'));
  if (Object.keys(properties).some(isPosition)) {
    return entries.addFault('/properties', beaconMessage('import-position-property'));
  }
  const position = positionOf(feature.geometry);
  if (!position) return entries.addFault('/geometry', beaconMessage('import-geometry'));
  const hasId = Object.keys(properties).some(
    (name) => fieldNamed(name) === 'id' && properties[name] !== null,
  );
  entries.addJson({ ...properties, ...(hasId ? {} : { id: feature.id ?? null }), ...position });
}

function isPosition(name: string): boolean {
  return ['lat', 'long', 'x', 'y'].some((field) => fieldNamed(name) === field);
}

/** A MultiPoint with one point is a position; with several points, the beacon's position is unknown. */
function positionOf(geometry: unknown): { lat?: unknown; long?: unknown } | undefined {
  if (geometry === null || geometry === undefined) return {};
  if (!isJsonObject(geometry) || !Array.isArray(geometry.coordinates)) return undefined;
  const { type, coordinates } = geometry;
  const point: unknown = type === 'MultiPoint' && coordinates.length === 1 ? coordinates[0] : coordinates;
  if ((type !== 'Point' && type !== 'MultiPoint') || !Array.isArray(point)) return undefined;
  const [long, lat]: unknown[] = point;
  const isPoint = [long, lat].every((one) => typeof one === 'number' || typeof one === 'string');
  return isPoint ? { lat, long } : undefined;
}

/** Throws `INVALID_INPUT` if a member `crs` names another coordinate reference system. */
export function requireWgs84(value: unknown): void {
  if (!isJsonObject(value) || value.crs === undefined) return;
  const properties = isJsonObject(value.crs) ? value.crs.properties : undefined;
  const name = isJsonObject(properties) ? String(properties.name) : JSON.stringify(value.crs);
  if (WGS84.test(name)) return;
  throw new GatewayError('INVALID_INPUT', beaconMessage('import-crs', { name: name.slice(0, 80) }), {
    field: 'crs',
    hint: beaconMessage('import-crs-hint'),
  });
}

import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import type { Candidate } from './import.js';

/** True for GeoJSON, even if it is invalid. A plain JSON import is an array, which has no `type`. */
export function isGeoJson(value: unknown): boolean {
  return isJsonObject(value) && typeof value.type === 'string';
}

/**
 * Reads an RFC 7946 FeatureCollection of points. The ID is the `id` property or, if there is none, the
 * feature's `id`. Ignores foreign members and altitudes (6.1 and 3.1.1). Throws `INVALID_INPUT`.
 */
export function readGeoJson(value: unknown): Candidate[] {
  if (isJsonObject(value) && value.type === 'FeatureCollection' && Array.isArray(value.features)) {
    return value.features.map(candidateOf);
  }
  throw new GatewayError('INVALID_INPUT', 'the GeoJSON must be a FeatureCollection with a features array', {
    field: 'type',
  });
}

function candidateOf(feature: unknown): Candidate {
  if (!isJsonObject(feature) || feature.type !== 'Feature') return fault('', 'must be a GeoJSON Feature');
  const properties = feature.properties ?? {};
  if (!isJsonObject(properties)) return fault('/properties', 'must be an object or null');
  if ('lat' in properties || 'long' in properties) {
    return fault('/properties', 'must not contain lat or long; the position belongs in the geometry');
  }
  const position = positionOf(feature.geometry);
  if (!position)
    return fault('/geometry', 'must be a Point with the coordinates [longitude, latitude], or null');
  const id = properties.id ?? feature.id;
  return { value: { ...properties, ...(id === undefined ? {} : { id }), ...position } };
}

function positionOf(geometry: unknown): { lat?: unknown; long?: unknown } | undefined {
  if (geometry === null || geometry === undefined) return {};
  if (!isJsonObject(geometry) || geometry.type !== 'Point') return undefined;
  const { coordinates } = geometry;
  if (!Array.isArray(coordinates) || coordinates.length < 2) return undefined;
  const [long, lat]: unknown[] = coordinates;
  return { lat, long };
}

function fault(path: string, message: string): Candidate {
  return { faults: [{ path, message }] };
}

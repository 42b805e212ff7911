import type { Request } from 'express';
import { queryNumber } from '../../http/server/bodies.js';
import type { LatLong } from '../../plan/pure.js';
import { GatewayError } from '../../shared/errors.js';
import type { Box } from '../registry/boxes.js';

export type ListQuery =
  | { kind: 'all' }
  | { kind: 'page'; after: string; limit: number }
  | { kind: 'near'; position: LatLong; limit: number }
  | { kind: 'box'; box: Box };

const PAGE = { default: 100, max: 1000 };
/** All beacons are read in one event-loop iteration; the maximum number takes 7 ms on a desktop. */
const NEAR = { default: 10, max: 100 };
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Parses the query of `GET /beacons`, ignoring unknown parameters. Throws `INVALID_INPUT`. */
export function listQueryOf(req: Request): ListQuery {
  const [near, bbox, after] = ['near', 'bbox', 'after'].map((name) => textOf(req, name));
  if ([near, bbox, after].filter((text) => text !== undefined).length > 1) {
    throw new GatewayError('INVALID_INPUT', 'near, bbox and after cannot be combined');
  }
  if (near !== undefined) return { kind: 'near', position: positionOf(near), limit: limitOf(req, NEAR) };
  if (bbox !== undefined) return { kind: 'box', box: boxOf(bbox) };
  if (after === undefined && req.query.limit === undefined) return { kind: 'all' };
  return { kind: 'page', after: after ?? '', limit: limitOf(req, PAGE) };
}

/** Throws `INVALID_INPUT`. */
export function upsertOf(req: Request): boolean {
  const text = textOf(req, 'upsert') ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new GatewayError('INVALID_INPUT', 'upsert must be true or false', { field: 'upsert' });
}

function textOf(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new GatewayError('INVALID_INPUT', `${name} is specified more than once`, { field: name });
}

function limitOf(req: Request, range: typeof PAGE): number {
  return queryNumber(req, 'limit', [1, range.max]) ?? range.default;
}

function positionOf(text: string): LatLong {
  const [lat, long] = numbersOf(text, 2) ?? [];
  if (lat !== undefined && long !== undefined && Math.abs(lat) <= 90 && Math.abs(long) <= 180) {
    return { lat, long };
  }
  throw new GatewayError(
    'INVALID_INPUT',
    'near must be lat,long in degrees, with lat from -90 to 90 and long from -180 to 180',
    {
      field: 'near',
    },
  );
}

/** Parses `west,south,east,north` (RFC 7946). In a box that crosses the antimeridian, west exceeds east. */
function boxOf(text: string): Box {
  const [west = 999, south = 999, east = 999, north = 999] = numbersOf(text, 4) ?? [];
  const isValid =
    Math.max(Math.abs(west), Math.abs(east)) <= 180 &&
    Math.max(Math.abs(south), Math.abs(north)) <= 90 &&
    south <= north;
  if (isValid) return { south, north, west, east };
  throw new GatewayError('INVALID_INPUT', 'bbox must be west,south,east,north in degrees', { field: 'bbox' });
}

function numbersOf(text: string, count: number): number[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  return parts.length === count && parts.every((part) => NUMBER.test(part)) ? parts.map(Number) : undefined;
}

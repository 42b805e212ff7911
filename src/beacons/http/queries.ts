import type { Request, RequestHandler } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { parseJson } from '../../shared/validation/json.js';
import { queryNumber, type RouteWithBody, readBody } from '../../web/server/bodies.js';
import type { LatLong } from '../positioning/geodesy.js';
import type { Box } from '../registry/boxes.js';

/** What `GET /beacons` is asked for. */
export type ListQuery =
  | { kind: 'all' }
  | { kind: 'page'; after: string; limit: number }
  | { kind: 'near'; place: LatLong; limit: number }
  | { kind: 'box'; box: Box };

const PAGE = { usual: 100, most: 1000 };
/** Read in one piece: 7 ms of the main thread on a desktop. */
const NEAR = { usual: 10, most: 100 };
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Reads the query of `GET /beacons`; parameters that we do not know are left alone. Throws `INVALID_INPUT`. */
export function listQueryOf(req: Request): ListQuery {
  const [near, bbox, after] = ['near', 'bbox', 'after'].map((name) => textOf(req, name));
  if ([near, bbox, after].filter((text) => text !== undefined).length > 1) {
    throw new GatewayError('INVALID_INPUT', 'near, bbox and after cannot be asked for together');
  }
  if (near !== undefined) return { kind: 'near', place: placeOf(near), limit: limitOf(req, NEAR) };
  if (bbox !== undefined) return { kind: 'box', box: boxOf(bbox) };
  if (after === undefined && req.query.limit === undefined) return { kind: 'all' };
  return { kind: 'page', after: after ?? '', limit: limitOf(req, PAGE) };
}

/** The `upsert` of a query; anything but true and false throws `INVALID_INPUT`. */
export function upsertOf(req: Request): boolean {
  const text = textOf(req, 'upsert') ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new GatewayError('INVALID_INPUT', 'upsert must be true or false', { field: 'upsert' });
}

function textOf(req: Request, name: string): string | undefined {
  const value = req.query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new GatewayError('INVALID_INPUT', `${name} is given more than once`, { field: name });
}

function limitOf(req: Request, { usual, most }: typeof PAGE): number {
  return queryNumber(req, 'limit', [1, most]) ?? usual;
}

function placeOf(text: string): LatLong {
  const [lat, long] = numbersOf(text, 2) ?? [];
  if (lat !== undefined && long !== undefined && Math.abs(lat) <= 90 && Math.abs(long) <= 180) {
    return { lat, long };
  }
  throw new GatewayError('INVALID_INPUT', 'near must be lat,long in degrees: -90 to 90, -180 to 180', {
    field: 'near',
  });
}

/** West,south,east,north as in RFC 7946; west is east of east when the box crosses the antimeridian. */
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

/** A beacon with usual texts is a few hundred bytes and arrives together with its header. */
const SHORT_BYTES = 16 * 1024;

/**
 * Reads a JSON body as `readBody` does, but short ones of known length without its parser: that one negotiates encodings
 * and streams, which was a quarter of the main thread's work for a durable write.
 */
export function readShortJson(route: RouteWithBody): RequestHandler[] {
  const readShort: RequestHandler = (req, _res, next) => {
    const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = req.headers;
    const bytes = Number(length);
    if (type !== 'application/json' || encoding !== undefined || !(bytes > 0 && bytes <= SHORT_BYTES)) {
      return next();
    }
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      try {
        req.body = parseJson(Buffer.concat(chunks).toString());
        next();
      } catch (error) {
        next(error);
      }
    });
  };
  return [readShort, ...readBody(route)];
}

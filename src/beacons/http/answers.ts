import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { SlicedWrites } from '../../web/server/sliced-writes.js';
import { csvEncoding, type Encoding, geoJsonEncoding, jsonEncoding } from '../formats/formats.js';
import type { Listing, ReadyList } from '../registry/listing.js';
import type { Beacons } from '../registry/registry.js';

/** By the media type that asks for it; the first is for callers who do not mind. */
const ENCODINGS: Record<string, Encoding> = {
  'application/json': jsonEncoding,
  'application/geo+json': geoJsonEncoding,
  'text/csv': csvEncoding,
};
const TYPES = Object.keys(ENCODINGS);

/** How the caller wants a list. */
export function encodingOf(req: Request): Encoding {
  const { accept } = req.headers;
  // Nearly everybody, and the full negotiation costs as much as the rest of a cached answer.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return jsonEncoding;
  const type = req.accepts(TYPES);
  return (type && ENCODINGS[type]) || jsonEncoding;
}

/** Sends JSON that is ready: no header that nobody reads. */
export function sendJson(res: ServerResponse, json: string): void {
  const length = String(Buffer.byteLength(json));
  res.writeHead(200, ['content-type', jsonEncoding.contentType, 'content-length', length]);
  res.end(json);
}

/** Sends the whole list from memory, or 304 when the caller has it. */
export function sendReady(
  req: Request,
  res: ServerResponse,
  { list: { body, etag }, slices }: { list: ReadyList; slices: SlicedWrites },
): void {
  if (isKnown(req, res, etag)) return;
  const length = String(body.length);
  res.writeHead(200, [
    ...['content-type', jsonEncoding.contentType, 'content-length', length],
    ...['etag', etag, 'vary', 'accept'],
  ]);
  endWith(req, res, body, slices);
}

/** Sends some of the beacons, encoded. */
export function sendSome(
  req: Request,
  res: ServerResponse,
  { body, encoding, etag, slices }: { body: Buffer; encoding: Encoding; etag: string; slices: SlicedWrites },
): void {
  res.writeHead(200, { ...headersOf(encoding, etag), 'content-length': body.length });
  endWith(req, res, body, slices);
}

function endWith(req: Request, res: ServerResponse, body: Buffer, slices: SlicedWrites): void {
  if (req.method === 'HEAD') res.end();
  else slices.end(res, body);
}

/** Sends all beacons in slices, no faster than the caller reads; ends early when the caller has gone. */
export async function sendAll(
  req: Request,
  res: ServerResponse,
  { listing, encoding, etag }: { listing: Listing; encoding: Encoding; etag: string },
): Promise<void> {
  res.writeHead(200, headersOf(encoding, etag));
  if (req.method === 'HEAD') return void res.end();
  for await (const slice of listing.all(encoding)) {
    if (res.destroyed) return;
    if (!res.write(slice)) await drained(res);
  }
  res.end();
}

/** Answers 304 when the caller has this version. */
export function isKnown(req: Request, res: ServerResponse, etag: string): boolean {
  const known = req.headers['if-none-match'];
  if (known === undefined || !hasTag(known, etag)) return false;
  res.writeHead(304, { etag, vary: 'accept' });
  res.end();
  return true;
}

/** RFC 9110, 13.1.2: weak comparison with each of the list, or with anything. */
function hasTag(list: string, etag: string): boolean {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return list.trim() === '*' || list.split(',').some((tag) => opaque(tag) === opaque(etag));
}

function headersOf({ contentType }: Encoding, etag: string): Record<string, string> {
  const headers = { 'content-type': contentType, etag, vary: 'accept' };
  if (contentType !== csvEncoding.contentType) return headers;
  return {
    ...headers,
    'content-disposition': 'attachment; filename="beacons.csv"',
    'x-content-type-options': 'nosniff',
  };
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

/** Answers a GET with 200 and returns the route that it stands in for, or leaves the request to the routes. */
export type Ahead = (...request: Parameters<RequestListener>) => string | undefined;

/** An id that needs no decoding and stands alone in the query. */
const PLAIN = /^\/beacon\?id=([\w.~-]+)$/;

/**
 * Answers `GET /beacon?id=…` ahead of Express when the beacon is at hand and the request has nothing that the routes
 * would look at: Express's walk to the route costs twice as much as the answer.
 * @param isOurs whether the gateway goes by a `Host`.
 */
export function beaconAhead(beacons: Beacons, isOurs: (host: string) => boolean): Ahead {
  return (req, res) => {
    if (req.method !== 'GET') return undefined;
    const id = PLAIN.exec(req.url ?? '')?.[1];
    const json = id === undefined ? undefined : beacons.ready(id);
    if (json === undefined) return undefined;
    const host = hostOfPlain(req);
    if (host === undefined || !isOurs(host)) return undefined;
    sendJson(res, json);
    return '/beacon';
  };
}

/**
 * The `Host` of a request that comes without credentials and wants no other protocol; undefined for any other one, and
 * for none or two. It does not read `req.headers`: to make that object costs as much as finding the answer.
 */
function hostOfPlain({ rawHeaders }: IncomingMessage): string | undefined {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    switch (rawHeaders[at]?.toLowerCase()) {
      case 'host':
        if (host !== undefined) return undefined;
        host = rawHeaders[at + 1];
        break;
      // The session or the key is noted as used.
      case 'cookie':
      case 'authorization':
      case 'x-api-key':
      case 'upgrade':
        return undefined;
    }
  }
  return host;
}

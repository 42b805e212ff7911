import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { SlicedWrites } from '../../web/server/sliced-writes.js';
import { csvEncoding, type Encoding, geoJsonEncoding, jsonEncoding } from '../formats/formats.js';
import type { Listing, ReadyList } from '../registry/listing.js';

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

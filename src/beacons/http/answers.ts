import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { listsWeakly } from '../../http/server/conditional.js';
import { isExcel } from '../../http/server/csv-format.js';
import type { FastPath } from '../../http/server/fast-express.js';
import type { SlicedWrites } from '../../http/server/sliced-writes.js';
import {
  csvEncoding,
  type Encoding,
  excelEncoding,
  geoJsonEncoding,
  jsonEncoding,
} from '../formats/formats.js';
import type { Beacons } from '../registry/beacons.js';
import type { CachedList, Listing } from '../registry/listing.js';

const ENCODINGS: Record<string, Encoding> = {
  'application/json': jsonEncoding,
  'application/geo+json': geoJsonEncoding,
  'text/csv': csvEncoding,
};
const TYPES = Object.keys(ENCODINGS);

/** Throws `INVALID_INPUT` if the format in the query is unknown. */
export function encodingOf(req: Request): Encoding {
  if (isExcel(req)) return excelEncoding;
  const { accept } = req.headers;
  // Full content negotiation would double the time for a cached response.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return jsonEncoding;
  const type = req.accepts(TYPES);
  return (type && ENCODINGS[type]) || jsonEncoding;
}

export function sendJson(res: ServerResponse, json: string): void {
  const length = String(Buffer.byteLength(json));
  res.writeHead(200, ['content-type', jsonEncoding.contentType, 'content-length', length]);
  res.end(json);
}

export function sendCached(
  req: Request,
  res: ServerResponse,
  { list: { body, etag }, slices }: { list: CachedList; slices: SlicedWrites },
): void {
  if (sendNotModified(req, res, etag)) return;
  const length = String(body.length);
  res.writeHead(200, [
    'content-type',
    jsonEncoding.contentType,
    'content-length',
    length,
    'etag',
    etag,
    'vary',
    'accept',
  ]);
  endWith(req, res, body, slices);
}

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

/** Streams all beacons in slices, with backpressure; ends early if the client disconnects. */
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

export function sendNotModified(req: Request, res: ServerResponse, etag: string): boolean {
  const condition = req.headers['if-none-match'];
  if (condition === undefined || !listsWeakly(condition, etag)) return false;
  res.writeHead(304, { etag, vary: 'accept' });
  res.end();
  return true;
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

/** A query that contains only an unescaped ID. */
const PLAIN_QUERY = /^\/beacon\?id=([\w.~-]+)$/;

/**
 * Responds to `GET /beacon?id=…` without Express, whose routing takes twice as long as the response. Used
 * only if the beacon is cached and the request needs no check except that of the host.
 * @param isOwnHost returns true if the `Host` is one of the gateway's names.
 */
export function beaconFastPath(beacons: Beacons, isOwnHost: (host: string) => boolean): FastPath {
  return {
    route: 'GET /beacon',
    answer(req, res) {
      if (req.method !== 'GET') return false;
      const id = PLAIN_QUERY.exec(req.url ?? '')?.[1];
      const json = id === undefined ? undefined : beacons.cached(id);
      if (json === undefined) return false;
      const host = hostOfPlain(req);
      if (host === undefined || !isOwnHost(host)) return false;
      sendJson(res, json);
      return true;
    },
  };
}

/**
 * Returns undefined if `Host` is missing or repeated, or if the request contains credentials or an `Upgrade`
 * header. Reads `rawHeaders`, because building `req.headers` would take as long as looking up the beacon.
 */
function hostOfPlain({ rawHeaders }: IncomingMessage): string | undefined {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    switch (rawHeaders[at]?.toLowerCase()) {
      case 'host':
        if (host !== undefined) return undefined;
        host = rawHeaders[at + 1];
        break;
      // Express handles requests with credentials, because its handlers record the use of the session or key.
      case 'cookie':
      case 'authorization':
      case 'x-api-key':
      case 'upgrade':
        return undefined;
    }
  }
  return host;
}

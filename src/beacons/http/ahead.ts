import type { IncomingMessage, RequestListener } from 'node:http';
import type { Beacons } from '../registry/registry.js';
import { sendJson } from './answers.js';

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

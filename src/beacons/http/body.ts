import type { RequestHandler } from 'express';
import { parseJson } from '../../shared/validation/json.js';
import { type RouteWithBody, readBody } from '../../web/server/bodies.js';

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

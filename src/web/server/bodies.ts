import express, { type RequestHandler } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { checkJsonShape } from '../../shared/validation/json.js';

/** Reads a JSON or form body of at most `limit` bytes; any other kind is 415, and none at all is 400. */
export function readBody(limit: number, { form }: { form: boolean }): RequestHandler[] {
  const parsers: RequestHandler[] = [
    express.json({ limit, type: ['application/json', 'application/*+json'] }),
  ];
  if (form) parsers.push(express.urlencoded({ limit, extended: false, parameterLimit: 1000 }));
  return [...parsers, form ? requireBody('JSON or a form') : requireBody('JSON')];
}

function requireBody(kinds: string): RequestHandler {
  return (req, _res, next) => {
    if (req.body !== undefined) {
      checkJsonShape(req.body);
      return next();
    }
    const empty = req.headers['content-length'] === '0' || !('content-type' in req.headers);
    if (empty) throw new GatewayError('INVALID_INPUT', `the body is missing: send ${kinds}`);
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `the body must be ${kinds}`);
  };
}

/**
 * For stops: whatever is wrong with the body, the request goes on, with `{}` and the fault in `req.bodyFault`.
 * A stop is carried out first and complained about afterwards.
 */
export function readStopBody(limit: number): RequestHandler {
  const steps = readOptionalBody(limit);
  return (req, res, next) => {
    const run = (at: number): void => {
      const step = steps[at];
      if (!step) return next();
      const after = (fault?: unknown): void => {
        if (fault === undefined) return run(at + 1);
        req.body = {};
        req.bodyFault = fault;
        next();
      };
      try {
        void step(req, res, after);
      } catch (fault) {
        after(fault);
      }
    };
    run(0);
  };
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Why the body of a stop could not be read. */
    bodyFault?: unknown;
  }
}

/** For routes whose body may be left out: an absent or empty one reads as `{}`. */
export function readOptionalBody(limit: number): RequestHandler[] {
  return [
    express.json({ limit }),
    express.urlencoded({ limit, extended: false, parameterLimit: 20 }),
    (req, _res, next) => {
      req.body ??= {};
      checkJsonShape(req.body);
      next();
    },
  ];
}

import express, { type Request, type RequestHandler } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { checkJsonShape } from '../../shared/validation/json.js';
import { webMessage } from '../messages.js';
import type { Body } from '../openapi/types.js';

export interface RouteWithBody {
  readonly body: Body;
}

/**
 * Reads a route's body. Rejects a body that is too large with 413, an undeclared media type with 415 and a
 * missing body with 400. A route that accepts a form also accepts JSON. A missing optional body becomes `{}`.
 */
export function readBody({ body: { content, required, maxBytes: limit } }: RouteWithBody): RequestHandler[] {
  if (!required) return readOptionalBody(limit);
  const json = express.json({ limit, type: ['application/json', 'application/*+json'] });
  if (!('application/x-www-form-urlencoded' in content)) return [json, requireBody('JSON')];
  const form = express.urlencoded({ limit, extended: false, parameterLimit: 1000 });
  return [json, form, requireBody('JSON or a form')];
}

function requireBody(kinds: string): RequestHandler {
  return (req, _res, next) => {
    if (req.body !== undefined) {
      checkJsonShape(req.body);
      return next();
    }
    const empty = req.headers['content-length'] === '0' || !('content-type' in req.headers);
    if (empty) throw new GatewayError('INVALID_INPUT', webMessage('body-missing', { type: kinds }));
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `the body must be ${kinds}`);
  };
}

/** Stores a body error and continues with `{}`, so that the stop is executed before the error is reported. */
export function readStopBody({ body }: RouteWithBody): RequestHandler {
  const steps = readOptionalBody(body.maxBytes);
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
    /** The error that occurred while a stop's body was read. */
    bodyFault?: unknown;
  }
}

function readOptionalBody(limit: number): RequestHandler[] {
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

/** Returns undefined if the parameter is missing. Throws `INVALID_INPUT` unless it is an integer within range. */
export function queryNumber(
  { query }: Request,
  field: string,
  [min, max]: readonly [min: number, max: number],
): number | undefined {
  const value = query[field];
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new GatewayError('INVALID_INPUT', `${field} must be a whole number from ${min} to ${max}`, {
    field,
    limit: max,
  });
}

/** Returns a query parameter that must be one of `values`. Throws `INVALID_INPUT`. */
export function queryOneOf<const T extends string>(
  { query }: Request,
  field: string,
  values: readonly T[],
  defaultValue: NoInfer<T>,
): T {
  const value = query[field] ?? defaultValue;
  const known = values.find((name) => name === value);
  if (known !== undefined) return known;
  throw new GatewayError('INVALID_INPUT', `${field} must be one of ${values.join(', ')}`, { field });
}

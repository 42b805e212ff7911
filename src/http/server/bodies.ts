import { type ParsedUrlQuery, parse as parseQueryText } from 'node:querystring';
import express, { type Request, type RequestHandler } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { checkJsonShape, parseJson, requireUtf8, utf8Text } from '../../shared/validation/json.js';
import { webMessage } from '../messages.js';
import type { Body, Operation } from '../openapi/types.js';

const MAX_FIELDS = 1000;

export interface RouteWithBody {
  readonly body: Body;
}

/** Returns the readers of the body that a route declares; none if it declares no body. */
export function bodyReaders({
  body,
  stopToken = false,
}: Pick<Operation, 'body' | 'stopToken'>): RequestHandler[] {
  if (!body) return [];
  if (stopToken) return [readStopBody({ body })];
  return body.mayStop ? readCommandBody({ body }) : readBody({ body });
}

/**
 * Reads a route's body. Rejects a body that is too large with 413, an undeclared media type with 415 and a
 * missing body with 400. A route that accepts a form also accepts JSON. A missing optional body becomes `{}`.
 */
export function readBody({ body }: RouteWithBody): RequestHandler[] {
  const { content, required, maxBytes: limit, maxFields: parameterLimit = MAX_FIELDS } = body;
  if (!required) return readOptionalBody(limit);
  const json = readJson({ limit, type: ['application/json', 'application/*+json'] });
  if (!('application/x-www-form-urlencoded' in content)) return [nameUtf8, json, requireBody('JSON')];
  return [nameUtf8, json, readForm({ limit, parameterLimit }), requireBody('JSON or a form')];
}

/** Bodies up to this length are parsed directly; a typical beacon is a few hundred bytes long. */
const SHORT_BYTES = 16 * 1024;

/**
 * Like `readBody`, but parses short JSON bodies directly, because content negotiation and streaming in `readBody`
 * take a quarter of the main thread's time for a durable write.
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
        req.body = parseJson(utf8Text(Buffer.concat(chunks)));
        next();
      } catch (error) {
        next(error);
      }
    });
  };
  return [readShort, ...readBody(route)];
}

/**
 * Like `readBody`, for a route whose body may be a stop. A body that can be parsed but is not allowed is kept, so
 * that the stop is executed before the error in `bodyFault` is reported.
 */
function readCommandBody(route: RouteWithBody): RequestHandler[] {
  const steps = readBody(route);
  const check = steps.pop();
  return [
    ...steps,
    (req, res, next) => {
      try {
        check?.(req, res, next);
      } catch (fault) {
        if (req.body === undefined) throw fault;
        req.bodyFault = fault;
        next();
      }
    },
  ];
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

interface TextLimits {
  /** Maximum size of the body in bytes. */
  limit: number;
  /** Media types; JSON or CSV by default. */
  type?: string | string[];
}

/** Reads a JSON body into `req.body`. Rejects bytes that are not UTF-8, which the parser would replace. */
export function readJson(options: TextLimits): RequestHandler {
  return express.json({ ...options, verify: (_req, _res, body, encoding) => checkEncoding(body, encoding) });
}

/** Reads a text body into `req.body`. Rejects bytes that are not UTF-8. */
export function readText(options: TextLimits): RequestHandler {
  return express.text({ ...options, verify: (_req, _res, body, encoding) => checkEncoding(body, encoding) });
}

function readForm(options: { limit: number; parameterLimit: number }): RequestHandler {
  return express.urlencoded({
    ...options,
    extended: false,
    verify: (_req, _res, body, encoding) => {
      checkEncoding(body, encoding);
      requireUtf8(percentDecoded(body.toString('latin1')));
    },
  });
}

function checkEncoding(body: Buffer, encoding: string): void {
  if (encoding === 'utf-8') requireUtf8(body);
}

/** Parses a query, and throws `INVALID_INPUT` if its percent-encoded bytes are not UTF-8. */
export function parseQuery(query: string | null): ParsedUrlQuery {
  if (query?.includes('%')) requireUtf8(percentDecoded(query));
  return parseQueryText(query ?? '');
}

/** @param text one character per byte. */
function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}

/** Renames the charset `utf8`, which many clients send, to the registered name `utf-8`. */
export const nameUtf8: RequestHandler = ({ headers }, _res, next) => {
  const type = headers['content-type'];
  if (type) headers['content-type'] = type.replace(/(;\s*charset\s*=\s*"?)utf8(?=["\s;]|$)/i, '$1utf-8');
  next();
};

/** Stores a body error and continues with `{}`, so that the stop is executed before the error is reported. */
function readStopBody({ body }: RouteWithBody): RequestHandler {
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
    /** The error that occurred while the body of a stop or command was read. */
    bodyFault?: unknown;
  }
}

function readOptionalBody(limit: number): RequestHandler[] {
  return [
    nameUtf8,
    readJson({ limit }),
    readForm({ limit, parameterLimit: 20 }),
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

import type { ErrorRequestHandler, Request, Response } from 'express';
import {
  ERROR_STATUS,
  type ErrorCode,
  type ErrorDetails,
  type ErrorStatus,
  GatewayError,
  messageOf,
} from '../shared/errors.js';
import { fileErrorCode } from '../shared/files.js';
import { capitalised, type Message, type Text } from '../shared/messages/message.js';
import { sharedMessage } from '../shared/messages/messages.js';
import type { Log } from '../shared/ports/log.js';
import { setPageHeaders } from './guard/headers.js';
import { webMessage } from './messages.js';
import type { Notice } from './pages.js';

const TITLES: Readonly<Record<number, Message>> = {
  400: webMessage('title.invalid-input'),
  401: webMessage('title.not-logged-in'),
  403: webMessage('title.not-allowed'),
  404: webMessage('title.not-found'),
  405: webMessage('title.method-not-allowed'),
  409: webMessage('title.conflict'),
  412: webMessage('title.changed-meanwhile'),
  413: webMessage('title.too-large'),
  415: webMessage('title.unsupported-media-type'),
  416: webMessage('title.range-not-satisfiable'),
  421: webMessage('title.wrong-host'),
  422: webMessage('title.unprocessable'),
  426: webMessage('title.not-a-page'),
  428: webMessage('title.version-required'),
  429: webMessage('title.too-many-requests'),
  500: webMessage('title.internal-error'),
  503: webMessage('title.not-available'),
  504: webMessage('title.no-answer'),
} satisfies Record<ErrorStatus, Message>;

export interface ErrorBody extends Omit<ErrorDetails, 'cause' | 'reason'> {
  error: Text;
  message: Text;
  code: ErrorCode;
}

export interface HttpFailure {
  status: number;
  body: ErrorBody;
}

export function codesOf(status: number): string[] {
  return Object.entries(ERROR_STATUS).flatMap(([code, its]) => (its === status ? [code] : []));
}

export function failureStatuses(): number[] {
  return [...new Set(Object.values(ERROR_STATUS))];
}

export function titleOf(status: number): Message {
  return TITLES[status] ?? webMessage('title.error');
}

/** Returns the response for a thrown value. Omits the message of an unexpected error. */
export function failureOf(thrown: unknown): HttpFailure {
  const error = thrown instanceof GatewayError ? thrown : (fromExpress(thrown) ?? readOnlyError(thrown));
  if (!error) {
    const message = webMessage('internal');
    return { status: 500, body: { error: titleOf(500), message, code: 'INTERNAL' } };
  }
  const status = ERROR_STATUS[error.code];
  return {
    status,
    body: { error: titleOf(status), message: sentence(error), code: error.code, ...error.info },
  };
}

/**
 * Returns the error that a route shows on its own page, and sets the status and `Retry-After`. Rethrows an unexpected
 * error, which `errorHandler` logs.
 */
export function failureOnPage(res: Response, thrown: unknown): ErrorBody {
  const failure = failureOf(thrown);
  if (failure.body.code === 'INTERNAL') throw thrown;
  setFailureStatus(res, failure);
  return failure.body;
}

export function setFailureStatus(res: Response, { status, body: { retryAfterS } }: HttpFailure): void {
  res.status(status);
  if (retryAfterS !== undefined) res.setHeader('retry-after', String(retryAfterS));
}

/** Returns the notice for a page that is shown again because its request failed. */
export function failureNotice({ error: title, message, hint }: ErrorBody): Notice {
  return { ok: false, title, message, ...(hint ? { hint } : {}) };
}

/** Converts errors from Express's body and URL parsers, which have a `status` property. */
function fromExpress(thrown: unknown): GatewayError | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown)) return undefined;
  switch (thrown.status) {
    case 400:
      return new GatewayError(
        'INVALID_INPUT',
        webMessage('request-unreadable', { reason: messageOf(thrown) }),
      );
    case 413:
      return new GatewayError('TOO_LARGE', webMessage('request-too-large'), {
        ...('limit' in thrown && typeof thrown.limit === 'number'
          ? { limit: thrown.limit, unit: 'bytes' }
          : {}),
      });
    case 415:
      return new GatewayError('UNSUPPORTED_MEDIA_TYPE', messageOf(thrown));
    default:
      return undefined;
  }
}

function readOnlyError(thrown: unknown): GatewayError | undefined {
  if (fileErrorCode(thrown) !== 'EROFS') return undefined;
  return new GatewayError(
    'STORE_FAILED',
    webMessage('nothing-saved', { reason: sharedMessage('disk-read-only') }),
  );
}

/** Returns the message in sentence case, unless it begins with the invalid field's name. */
function sentence({ message, text, info }: GatewayError): Text {
  if (info.field && message.startsWith(info.field)) return text;
  return capitalised(text);
}

/** Returns true if the request's route is declared to send this client a page. */
export function wantsPage(req: Request): boolean {
  const answers = req.routeMatch?.route?.answers;
  if (answers === 'page') return true;
  return answers === 'page-first' ? req.accepts(['html', 'json']) === 'html' : wantsHtml(req);
}

/** Returns true if the client prefers HTML to JSON, as browsers do. */
export function wantsHtml(req: Request): boolean {
  return req.accepts(['json', 'html']) === 'html';
}

/** Logs an error that is not a `GatewayError`; the response does not contain its message. */
export function logUnexpected(
  log: Log,
  { method, path }: Pick<Request, 'method' | 'path'>,
  thrown: unknown,
): void {
  if (failureOf(thrown).body.code === 'INTERNAL')
    log.error('request.failed', { method, path, error: thrown });
}

/** Returns the last Express handler, which responds to errors. `renderPage` renders HTML for browsers. */
export function errorHandler(
  log: Log,
  renderPage: (req: Request, failure: HttpFailure) => string,
): ErrorRequestHandler {
  // Express recognises error handlers by their four parameters.
  return (thrown: unknown, req: Request, res: Response, _next) => {
    const failure = failureOf(thrown);
    logUnexpected(log, req, thrown);
    if (res.headersSent) return void res.destroy();
    setFailureStatus(res, failure);
    // A failed download may have set this header.
    res.removeHeader('content-disposition');
    if (wantsHtml(req)) {
      // The error page has a Stop button and needs these headers, even on routes that bypass `pageHeaders`.
      setPageHeaders(req, res);
      res.type('html').send(renderPage(req, failure));
    } else res.type('json').json(failure.body);
  };
}

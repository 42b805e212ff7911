import type { ErrorRequestHandler, Request, Response } from 'express';
import { type ErrorDetails, GatewayError, messageOf } from '../shared/errors.js';
import { fileErrorCode } from '../shared/files.js';
import { capitalised, type Message, type Text } from '../shared/messages/message.js';
import { sharedMessage } from '../shared/messages/messages.js';
import type { Log } from '../shared/ports/log.js';
import { setPageHeaders } from './guard/headers.js';
import { webMessage } from './messages.js';

/** HTTP status of each error code. Codes that are not listed, except the camera driver's, have status 500. */
const STATUS: Record<string, number> = {
  INVALID_INPUT: 400,
  RANGE: 400,
  CONTROLLER_RANGE: 400,
  INVALID_CREDENTIALS: 401,
  NOT_LOGGED_IN: 401,
  REVOKED: 401,
  TOTP_INVALID: 401,
  TOTP_REQUIRED: 401,
  RESET_FORBIDDEN: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CART_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  BUSY: 409,
  CALIBRATION_FAILED: 409,
  CONFLICT: 409,
  CONTROL_HELD: 409,
  CONTROLLER_BUSY: 409,
  CONTROLLER_STOPPED: 409,
  DUPLICATE_IDENTITY: 409,
  ESTOP_ACTIVE: 409,
  FIRMWARE_IMAGE: 409,
  FIRMWARE_REFUSED: 409,
  FIRMWARE_UPDATE: 409,
  ID_REUSED: 409,
  IMAGE_SIMILAR: 409,
  MARKER_NOT_SEEN: 409,
  NOT_IDLE: 409,
  OBSTACLE: 409,
  QUEUE_FULL: 409,
  RESET_REFUSED: 409,
  SETTINGS_CHANGED: 409,
  STOPPED: 409,
  SUPERSEDED: 409,
  OTHER_ORDER_ACTIVE: 409,
  ETAG_MISMATCH: 412,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  MISDIRECTED: 421,
  UPGRADE_REQUIRED: 426,
  RATE: 429,
  BACKUP_DAMAGED: 422,
  BACKUP_FOREIGN: 422,
  BACKUP_NEWER: 422,
  IDEMPOTENCY_MISMATCH: 422,
  LOGIN_FAILED: 500,
  WRITE_FAILED: 500,
  BROKER_DOWN: 503,
  CAMERA_SLOW: 504,
  CANCELLED: 409,
  BROKER_FORBIDS: 503,
  CART_OFFLINE: 503,
  CART_RESTARTED: 503,
  RESULT_UNKNOWN: 504,
  RETAINED: 409,
  VALIDATION_FAILURE: 400,
  NO_ORDER_TO_CANCEL: 409,
  INVALID_INSTANT_ACTION: 400,
  LEASE_ENDED: 409,
  PREDECESSOR_FAILED: 409,
  PASSED_ON: 409,
  CLOCK_UNSET: 503,
  CONFIG_INVALID: 503,
  DISK_FULL: 503,
  CONTROLLER_BAD_SESSION: 503,
  CONTROLLER_DISARMED: 503,
  CONTROLLER_FAILED: 503,
  CONTROLLER_FAULT: 503,
  CONTROLLER_RESET: 503,
  GATEWAY_RESTART: 503,
  INCOMPATIBLE: 503,
  LINE_NOISE: 503,
  LOOP_LAG: 503,
  NOT_STOPPED: 503,
  OVERLOADED: 503,
  PAYMENTS_OFF: 503,
  PHOTO_NOT_KEPT: 503,
  PROTECTIVE_STOP: 503,
  HEARTBEAT_LOST: 503,
  SAFETY_UNAVAILABLE: 503,
  SENSOR_SILENT: 503,
  SERIAL_BUSY: 503,
  SERIAL_DOWN: 503,
  SERIAL_LOST: 503,
  STOPPING: 503,
  STOP_ONLY: 503,
  STOP_UNCONFIRMED: 503,
  STORE_BUSY: 503,
  STORE_FAILED: 503,
  STORE_FULL: 503,
  ACK_TIMEOUT: 504,
  EXPIRED: 504,
  EXPIRED_SESSION: 504,
  CONTROLLER_EXPIRED: 504,
  SERIAL_ACK_TIMEOUT: 504,
  TIMEOUT: 504,
};

const TITLES: Record<number, Message> = {
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
  429: webMessage('title.too-many-requests'),
  500: webMessage('title.internal-error'),
  503: webMessage('title.not-available'),
  504: webMessage('title.no-answer'),
};

export interface ErrorBody extends Omit<ErrorDetails, 'cause'> {
  error: Text;
  message: Text;
  code: string;
}

export interface HttpFailure {
  status: number;
  body: ErrorBody;
}

export function statusOf(code: string): number {
  // The camera driver's many error codes are not listed; they have status 503.
  return STATUS[code] ?? (code.startsWith('CAMERA_') ? 503 : 500);
}

export function codesOf(status: number): string[] {
  const codes = Object.keys(STATUS).filter((code) => STATUS[code] === status);
  return status === 500 ? [...codes, 'INTERNAL'] : codes;
}

export function failureStatuses(): number[] {
  return Object.keys(TITLES).map(Number);
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
  const status = statusOf(error.code);
  return {
    status,
    body: { error: titleOf(status), message: sentence(error), code: error.code, ...error.info },
  };
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

/** Returns true if the client prefers HTML to JSON, as browsers do. */
export function wantsHtml(req: Request): boolean {
  return req.accepts(['json', 'html']) === 'html';
}

/** The last Express handler, which responds to errors. `renderPage` renders HTML for browsers. */
export function errorHandler(
  log: Log,
  renderPage: (req: Request, failure: HttpFailure) => string,
): ErrorRequestHandler {
  // Express recognises error handlers by their four parameters.
  return (thrown: unknown, req: Request, res: Response, _next) => {
    const failure = failureOf(thrown);
    if (failure.status >= 500 && failure.body.code === 'INTERNAL') {
      log.error('request.failed', { method: req.method, path: req.path, error: thrown });
    }
    if (res.headersSent) return void res.destroy();
    const { retryAfterS } = failure.body;
    if (retryAfterS !== undefined) res.setHeader('retry-after', String(retryAfterS));
    // A failed download may have set this header.
    res.removeHeader('content-disposition');
    res.status(failure.status);
    if (wantsHtml(req)) {
      // The error page has a Stop button and needs these headers, even on routes that bypass `pageHeaders`.
      setPageHeaders(req, res);
      res.type('html').send(renderPage(req, failure));
    } else res.type('json').json(failure.body);
  };
}

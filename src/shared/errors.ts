import { type Text, textOf } from './messages/message.js';

/**
 * Every error code, with its HTTP status. Codes must be added here first. Any other code is a compile error, so
 * that no code has status 500 by accident. Some codes occur only in MQTT messages, in the reasons of commands or
 * when the gateway starts.
 */
export const ERROR_STATUS = {
  CONTROLLER_RANGE: 400,
  INVALID_INPUT: 400,
  INVALID_INSTANT_ACTION: 400,
  PROVIDER_AMOUNT: 400,
  RANGE: 400,
  UNSUPPORTED_PARAMETER: 400,
  VALIDATION_FAILURE: 400,
  INVALID_CREDENTIALS: 401,
  NOT_LOGGED_IN: 401,
  REVOKED: 401,
  TOTP_INVALID: 401,
  TOTP_REQUIRED: 401,
  FORBIDDEN: 403,
  HEARTBEAT_REFUSED: 403,
  RESET_FORBIDDEN: 403,
  SITE_PLAN_REFUSED: 403,
  CART_UNKNOWN: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  BUSY: 409,
  CALIBRATION_FAILED: 409,
  CANCELLED: 409,
  CONFLICT: 409,
  CONNECTION_LOST: 409,
  CONNECTION_SLOW: 409,
  CONTROLLER_BUSY: 409,
  CONTROLLER_ESTOP_ACTIVE: 409,
  CONTROLLER_STOPPED: 409,
  CONTROLLER_UNSUPPORTED: 409,
  CONTROL_HELD: 409,
  DRIVER_BLURRED: 409,
  DRIVER_HIDDEN: 409,
  DRIVER_INPUT: 409,
  DRIVER_OFFLINE: 409,
  DRIVER_STALE: 409,
  DUPLICATE_IDENTITY: 409,
  ENDED: 409,
  ESTOP_ACTIVE: 409,
  FIRMWARE_IMAGE: 409,
  FIRMWARE_REFUSED: 409,
  FIRMWARE_UPDATE: 409,
  GIVEN_UP: 409,
  HANDED_OVER: 409,
  HOLD_LOST: 409,
  ID_REUSED: 409,
  IMAGE_SIMILAR: 409,
  LEASE_ENDED: 409,
  MARKER_NOT_SEEN: 409,
  NOT_IDLE: 409,
  NO_ORDER_TO_CANCEL: 409,
  OBSTACLE: 409,
  OFF_ROUTE: 409,
  OTHER_ORDER_ACTIVE: 409,
  PASSED_ON: 409,
  POSE_LOST: 409,
  PREDECESSOR_FAILED: 409,
  QUEUE_FULL: 409,
  REJECTED: 409,
  RESET_REFUSED: 409,
  RETAINED: 409,
  ROUTE_BUSY: 409,
  SETTINGS_CHANGED: 409,
  STOPPED: 409,
  SUPERSEDED: 409,
  UPDATE_BATTERY: 409,
  UPDATE_RUNNING: 409,
  UPDATE_UNAVAILABLE: 409,
  ZONE_BLOCKED: 409,
  ZONE_MANUAL_ONLY: 409,
  ETAG_MISMATCH: 412,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  MISDIRECTED: 421,
  BACKUP_DAMAGED: 422,
  BACKUP_FOREIGN: 422,
  BACKUP_NEWER: 422,
  BACKUP_PASSPHRASE: 422,
  IDEMPOTENCY_MISMATCH: 422,
  UPDATE_DAMAGED: 422,
  UPDATE_OLDER: 422,
  UPDATE_PROCESSOR: 422,
  UPDATE_SIGNATURE: 422,
  UPGRADE_REQUIRED: 426,
  PRECONDITION_REQUIRED: 428,
  RATE: 429,
  ADD_FAILED: 500,
  INTERNAL: 500,
  LOGIN_FAILED: 500,
  WRITE_FAILED: 500,
  BROKER_DOWN: 503,
  BROKER_FORBIDS: 503,
  BROKER_PORT: 503,
  CAMERA_BAD_OPTION: 503,
  CAMERA_BAD_PICTURE: 503,
  CAMERA_BUSY: 503,
  CAMERA_CRASHED: 503,
  CAMERA_DISABLED: 503,
  CAMERA_DOWN: 503,
  CAMERA_FLOOD: 503,
  CAMERA_FULL: 503,
  CAMERA_LEGACY: 503,
  CAMERA_MISSING: 503,
  CAMERA_NOT_INSTALLED: 503,
  CAMERA_NOT_JPEG: 503,
  CAMERA_NOT_RUNNABLE: 503,
  CAMERA_NO_IMAGE: 503,
  CAMERA_OUTPUT: 503,
  CAMERA_PERMISSION: 503,
  CAMERA_STALLED: 503,
  CAMERA_UNSUPPORTED: 503,
  CAMERA_UNUSABLE: 503,
  CART_OFFLINE: 503,
  CART_RESTARTED: 503,
  CLOCK_UNSET: 503,
  CONFIG_INVALID: 503,
  CONTROLLER_BAD_LENGTH: 503,
  CONTROLLER_BAD_SESSION: 503,
  CONTROLLER_DISARMED: 503,
  CONTROLLER_FAILED: 503,
  CONTROLLER_FAULT: 503,
  CONTROLLER_RESET: 503,
  CONTROLLER_UNKNOWN_TYPE: 503,
  DATA_DIR_IN_USE: 503,
  DATA_DIR_UNUSABLE: 503,
  DETECTOR_FAILED: 503,
  DISK_FULL: 503,
  FAILED: 503,
  GATEWAY_RESTART: 503,
  HEARTBEAT_LOST: 503,
  IMAGE_UNUSABLE: 503,
  INCOMPATIBLE: 503,
  LINE_NOISE: 503,
  LISTEN_FAILED: 503,
  LOOP_LAG: 503,
  NOT_STOPPED: 503,
  OVERLOADED: 503,
  PAYMENTS_OFF: 503,
  PHOTO_NOT_KEPT: 503,
  PROTECTIVE_STOP: 503,
  PROVIDER_BUSY: 503,
  PROVIDER_FAILED: 503,
  PROVIDER_REFUSED: 503,
  PROVIDER_UNCLEAR: 503,
  PROVIDER_UNKNOWN: 503,
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
  STORE_NEWER: 503,
  ACK_TIMEOUT: 504,
  CAMERA_SLOW: 504,
  CONTROLLER_EXPIRED: 504,
  EXPIRED: 504,
  EXPIRED_SESSION: 504,
  HELLO_TIMEOUT: 504,
  RESULT_UNKNOWN: 504,
  SERIAL_ACK_TIMEOUT: 504,
  TIMEOUT: 504,
} as const;

/** `Extract` makes the compiler name this type in its messages instead of listing every code. */
export type ErrorCode = Extract<keyof typeof ERROR_STATUS, string>;

export type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode];

/** Checks a code from another program or version, such as a remote cart. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}

export interface ErrorDetails {
  hint?: Text;
  field?: string;
  /** The limit that was exceeded, in `unit`. */
  limit?: number | string;
  unit?: string;
  faults?: Fault[];
  commandId?: string;
  retryAfterS?: number;
  /** The zone that a motion would enter, and how far the cart can drive before it. */
  zoneId?: string;
  freeDistanceMm?: number;
  /** A code that is more specific than `GatewayError.code`, for pages and records. Not sent to programs. */
  reason?: string | undefined;
  cause?: unknown;
}

export interface Fault {
  /** JSON pointer or field name. */
  path: string;
  message: Text;
}

/** The only error class used between modules. MQTT and HTTP adapters convert `code` to a protocol error. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly text: Text;
  // Not named `details`, because test runners print a property of that name.
  readonly info: Omit<ErrorDetails, 'cause' | 'reason'>;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, message: Text, { cause, reason, ...info }: ErrorDetails = {}) {
    super(textOf(message), cause === undefined ? undefined : { cause });
    this.name = 'GatewayError';
    this.code = code;
    this.text = message;
    this.info = info;
    this.reason = reason;
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export function errorText(thrown: unknown): Text {
  return thrown instanceof GatewayError ? thrown.text : messageOf(thrown);
}

export function hintOf(thrown: unknown): Text {
  return thrown instanceof GatewayError ? (thrown.info.hint ?? '') : '';
}

/** Call this in a `default` case, so that an unhandled member of the union is a compile error. */
export function never(value: never): never {
  throw new TypeError(`unexpected value: ${JSON.stringify(value)}`);
}

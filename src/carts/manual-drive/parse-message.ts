import { type ErrorCode, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { type Checker, checkerFor } from '../../shared/validation/validate.js';
import type { Reason } from '../command/model.js';
import { driveMessage } from './messages.js';
import { type DriveMessage, type DriveMessageType, driveMessageSchemas, type LetGo } from './schema.js';

const checkers = new Map<unknown, Checker<DriveMessage>>(
  Object.keys(driveMessageSchemas).map((kind) => [
    kind,
    checkerFor<DriveMessage>(driveMessageSchemas[kind as DriveMessageType]),
  ]),
);

/** Throws INVALID_INPUT with the name of the invalid field. */
export function parseDriveMessage(text: string): DriveMessage {
  const message = parsed(text);
  const check = checkers.get(message.say);
  if (!check) throw bad('say', `must be one of ${[...checkers.keys()].join(', ')}`);
  const result = check(message);
  if ('value' in result) return result.value;
  const [first] = result.faults;
  throw bad(first?.path.slice(1) ?? '', first?.message ?? 'is not valid');
}

type StopMessage = Extract<DriveMessage, { say: 'stop' }>;

/**
 * Returns the stop in a message that may be invalid; undefined if the message is not a stop. An unknown kind is a
 * stop that does not latch, and an invalid cart number stops every cart, as in `POST /stop`. `fault` is undefined if
 * the message is valid.
 */
export function readStopMessage(text: string): { stop: StopMessage; fault?: unknown } | undefined {
  let message: { say?: unknown; kind?: unknown; cartID?: unknown; pressId?: unknown };
  try {
    message = parsed(text);
  } catch {
    return undefined;
  }
  if (message.say !== 'stop') return undefined;
  const { kind, cartID, pressId } = message;
  const isCart = Number.isInteger(cartID) && Number(cartID) >= 1 && Number(cartID) <= 65_535;
  const stop: StopMessage = {
    say: 'stop',
    kind: kind === 'estop' ? 'estop' : 'stop',
    cartID: isCart ? Number(cartID) : null,
    pressId,
  };
  try {
    parseDriveMessage(text);
    return { stop };
  } catch (fault) {
    return { stop, fault };
  }
}

function parsed(text: string): { say?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The error for invalid JSON is thrown below.
  }
  throw new GatewayError('INVALID_INPUT', 'a message on the drive socket must be a JSON object');
}

function bad(field: string, message: Text): GatewayError {
  return new GatewayError('INVALID_INPUT', `${field} ${message}`, { field });
}

const RELEASE_CODES = {
  hidden: 'DRIVER_HIDDEN',
  blurred: 'DRIVER_BLURRED',
  input: 'DRIVER_INPUT',
  stale: 'DRIVER_STALE',
  offline: 'DRIVER_OFFLINE',
} as const satisfies Record<Exclude<LetGo, 'released'>, ErrorCode>;

/** Returns why the page, not the operator, ended manual drive. */
export function releaseReason(why: Exclude<LetGo, 'released'>): Reason {
  return { code: RELEASE_CODES[why], text: driveMessage(why) };
}

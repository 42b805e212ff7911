import { GatewayError } from '../../shared/errors.js';
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

/** Reads one word of the drive socket. Throws INVALID_INPUT, naming the field, its limit and its unit. */
export function parseDriveMessage(text: string): DriveMessage {
  const said = parsed(text);
  const check = checkers.get(said.say);
  if (!check) throw bad('say', `must be one of ${[...checkers.keys()].join(', ')}`);
  const result = check(said);
  if ('value' in result) return result.value;
  const [first] = result.faults;
  throw bad(first?.path.slice(1) ?? '', first?.message ?? 'is not valid');
}

function parsed(text: string): { say?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new GatewayError('INVALID_INPUT', 'a word of the drive socket is one JSON object');
}

function bad(field: string, message: Text): GatewayError {
  return new GatewayError('INVALID_INPUT', `${field} ${message}`, { field });
}

/** Why a driver's page let go by itself. */
export function letGoReason(why: Exclude<LetGo, 'released'>): Reason {
  return { code: `DRIVER_${why.toUpperCase()}`, text: driveMessage(why) };
}

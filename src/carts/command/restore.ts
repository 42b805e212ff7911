import type { Actor } from '../../shared/actor.js';
import type { Clock } from '../../shared/ports/clock.js';
import { cartMessage } from '../messages.js';
import { knownReason } from '../mqtt/messages/reason.js';
import { Command } from './command.js';
import { COMMAND_STATES, type CommandState, type CommandView, type Order, type Reason } from './model.js';

/** A command's view and the other fields that `sameOrder` compares. Earlier versions did not record `requested`. */
export type CommandRecord = CommandView & Pick<Order, 'onBusy' | 'requested'>;

export interface StoredCommand {
  view: unknown;
  by: Actor;
}

export const INTERRUPTED: Reason = {
  code: 'GATEWAY_RESTART',
  text: cartMessage('restarted'),
};

/**
 * Returns a listener that records a command at its first transition, when the command has ended, and when
 * the distance driven before an interruption becomes known.
 */
export function commandRecorder(
  keep: (record: CommandRecord, by: Actor) => void,
): (command: Command) => void {
  const kept = new WeakMap<Command, boolean>();
  return (command) => {
    if (kept.get(command) === command.final) return;
    kept.set(command, command.final);
    const { onBusy, requested } = command.order;
    const keepNow = (): void =>
      keep({ ...command.view(), onBusy, ...(requested && { requested }) }, command.origin.actor);
    if (command.final) command.onMeasured(keepNow);
    keepNow();
  };
}

/** Returns the command in its last recorded state; undefined if the record is invalid. */
export function restoredCommand({ view: record, by }: StoredCommand, clock: Clock): Command | undefined {
  if (!isRecord(record)) return undefined;
  const { destination, simulated, timeline, reason, result } = record;
  const { principal: _name, ...origin } = record.origin;
  // The command's exact age is unknown; the time of its last timeline entry is a lower bound.
  const acceptedAtMs = clock.now() - (timeline.at(-1)?.ms ?? 0);
  const acceptedWallMs = Date.parse(record.acceptedAt);
  const at = { destination, simulated, clock, acceptedAtMs, acceptedWallMs };
  const command = new Command(orderOf(record), { ...origin, actor: by }, at);
  const past = timeline.map(({ state, ms, cause }) => ({ state, cause, atMs: acceptedAtMs + ms }));
  command.transitions.splice(0, 1, ...past);
  command.reason = reason && knownReason(reason, 'FAILED');
  command.result = result;
  return command;
}

function orderOf(record: CommandRecord): Order {
  const { commandId, cartID, kind, distanceID, angleID, distanceMm, angleDeg, maxSpeed, ttlMs } = record;
  return {
    commandId,
    cartId: cartID,
    kind,
    raw: { distanceID, angleID },
    distanceMm,
    angleDdeg: Math.round(angleDeg * 10),
    maxSpeedMmps: maxSpeed,
    ttlMs,
    onBusy: record.onBusy,
    ...(record.requested && { requested: record.requested }),
  };
}

/** A different gateway version may have stored the record. */
function isRecord(value: unknown): value is CommandRecord {
  const record = value as Partial<CommandRecord> | null;
  return (
    typeof record?.commandId === 'string' &&
    record.onBusy !== undefined &&
    Array.isArray(record.timeline) &&
    record.timeline.length > 0 &&
    record.timeline.every(({ state }: { state: CommandState }) => COMMAND_STATES.includes(state))
  );
}

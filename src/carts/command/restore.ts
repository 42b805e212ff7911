import type { Clock } from '../../shared/ports/clock.js';
import { cartMessage } from '../messages.js';
import { Command } from './command.js';
import { COMMAND_STATES, type CommandState, type CommandView, type Order } from './model.js';

/** A command as it is kept for the next process: what everybody sees of it, and what tells the same wish from another. */
export type CommandRecord = CommandView & Pick<Order, 'onBusy'>;

/** How a command of an earlier process ended that had not ended when that process did. */
export const INTERRUPTED = {
  code: 'GATEWAY_RESTART',
  text: cartMessage('restarted'),
};

/** Hands each command to `keep` twice: when it is first heard of, and when it has ended. */
export function commandRecorder(keep: (record: CommandRecord) => void): (command: Command) => void {
  const kept = new WeakMap<Command, boolean>();
  return (command) => {
    if (kept.get(command) === command.final) return;
    kept.set(command, command.final);
    keep({ ...command.view(), onBusy: command.order.onBusy });
  };
}

/** A command of an earlier process, in the state in which it was kept; undefined for what is no record. */
export function restoredCommand(record: unknown, clock: Clock): Command | undefined {
  if (!isRecord(record)) return undefined;
  const { origin, destination, simulated, timeline, reason, result } = record;
  // How long ago that was is not known: at least as long as it was followed.
  const acceptedAtMs = clock.now() - (timeline.at(-1)?.ms ?? 0);
  const acceptedWallMs = Date.parse(record.acceptedAt);
  const at = { destination, simulated, clock, acceptedAtMs, acceptedWallMs };
  const command = new Command(orderOf(record), origin, at);
  const past = timeline.map(({ state, ms, cause }) => ({ state, cause, atMs: acceptedAtMs + ms }));
  command.transitions.splice(0, 1, ...past);
  command.reason = reason;
  command.result = result;
  return command;
}

function orderOf(record: CommandRecord): Order {
  const { commandId, cartID, kind, distanceID, angleID, distanceMm, angleDeg, maxSpeed, ttlMs } = record;
  return {
    ...{ commandId, cartId: cartID, kind, raw: { distanceID, angleID } },
    ...{ distanceMm, angleDdeg: Math.round(angleDeg * 10), maxSpeedMmps: maxSpeed, ttlMs },
    onBusy: record.onBusy,
  };
}

/** Another version may have kept other things. */
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

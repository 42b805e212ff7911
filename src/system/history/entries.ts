import { type Text, textOf } from '../../shared/messages/message.js';

/** The required members of a command. Any other members are also stored. */
export interface CommandEntry {
  commandId: string;
  cartID: number;
  kind: string;
  state: string;
  /** ISO 8601. */
  acceptedAt: string;
  origin: { principal: string };
  reason?: { code: string; text: Text };
  result?: { distanceMm: number };
}

/** The required members of a safety event. Any other members are also stored. */
export interface SafetyEntry {
  cartID: number;
  /** `estop.latched`, `estop.reset` or `protective_stop`. */
  kind: string;
  /** The principal or the condition that caused the event; empty if unknown. */
  by: Text;
}

/** How a command ended, or which safety event occurred. */
export const OUTCOMES = [
  'estop',
  'protective',
  'failed',
  'cancelled',
  'finished',
  'running',
  'reset',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The reasons why carts stopped before the end of a command, as used in the statistics. */
export const STOP_REASONS = ['estop', 'protective', 'connection', 'controller', 'person'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** The columns used for searching and counting entries. */
export interface IndexColumns {
  /** The same for all rows of a command. */
  indexKey: string;
  /** Unix time in ms; for a command, the time of acceptance. */
  eventAt: number;
  /** The principal; empty if no person caused the event. */
  person: string;
  kind: string;
  outcome: Outcome;
  /** Reason code of a command that did not finish; otherwise empty. */
  reason: string;
  distanceMm: number;
  /** Lower-case text for searches. */
  words: string;
}

const STATE_OUTCOMES: Readonly<Record<string, Outcome>> = {
  FINISHED: 'finished',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  EXPIRED: 'failed',
  REJECTED: 'failed',
};
const EVENT_OUTCOMES: Readonly<Record<string, Outcome>> = {
  protective_stop: 'protective',
  'estop.reset': 'reset',
};
const MAX_WORDS = 1000;

/** @param words the text that the pages display about the command, in all languages. */
export function commandColumns(command: CommandEntry, words: string): IndexColumns {
  const { commandId, acceptedAt, origin, kind, state, reason, result } = command;
  return {
    indexKey: `${commandId}@${acceptedAt}`,
    eventAt: Date.parse(acceptedAt),
    person: origin.principal,
    kind,
    outcome: STATE_OUTCOMES[state] ?? 'running',
    reason: reason?.code ?? '',
    distanceMm: Math.abs(Math.round(result?.distanceMm ?? 0)),
    words: searchable(origin.principal, reason?.code ?? '', words, commandId),
  };
}

/** @param words the text that the pages display about the event, in all languages. */
export function safetyColumns(
  { kind, by }: SafetyEntry,
  { key, at, words }: { key: string; at: number; words: string },
): IndexColumns {
  return {
    ...{ indexKey: key, eventAt: at, kind, reason: '', distanceMm: 0 },
    person: kind === 'protective_stop' ? '' : personIn(by),
    outcome: EVENT_OUTCOMES[kind] ?? 'estop',
    words: searchable(kind, words),
  };
}

/**
 * Returns the reason why a cart stopped, or undefined if the entry is not a stop or if another entry records
 * the same stop.
 */
export function stopReasonOf({
  outcome,
  reason,
}: Pick<IndexColumns, 'outcome' | 'reason'>): StopReason | undefined {
  if (outcome === 'estop' || outcome === 'protective') return outcome;
  if (reason === 'STOPPED') return 'person';
  if (reason === 'CONTROLLER_STOPPED') return 'controller';
  return CONNECTION_CODES.has(reason) ? 'connection' : undefined;
}

/**
 * Reason codes of commands that ended because a connection was lost while the cart was moving.
 * `HEARTBEAT_LOST` is omitted, because the cart also records a protective stop in that case.
 */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  ...['SERIAL_LOST', 'CONTROLLER_RESET', 'LINE_NOISE', 'CART_OFFLINE', 'BROKER_DOWN'],
  ...['CONNECTION_LOST', 'CONNECTION_SLOW', 'LEASE_ENDED'],
]);

/** A message that names a principal, such as `key tablet`, has a code that begins with `shared.`. */
function personIn(by: Text): string {
  return typeof by === 'string' || by.code.startsWith('shared.') ? textOf(by) : '';
}

function searchable(...words: string[]): string {
  return words.join(' ').toLowerCase().slice(0, MAX_WORDS);
}

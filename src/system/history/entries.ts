import { type Actor, actorJson, actorName, isPerson } from '../../shared/actor.js';
import type { ErrorCode } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SoftwareEventKind, SoftwareFacts } from '../../updates/index.js';

/** The required members of a command. Any other members are also stored. */
export interface CommandEntry {
  commandId: string;
  cartID: number;
  kind: string;
  state: string;
  /** ISO 8601. */
  acceptedAt: string;
  reason?: { code: string; text: Text };
  result?: { distanceMm: number };
}

/** Several repeated events in one history entry. Times are Unix times in ms. */
export interface Repeats {
  count: number;
  firstAt: number;
  lastAt: number;
}

/** The required members of a safety event. Any other members are also stored. */
export interface SafetyEntry {
  cartID: number;
  /**
   * `estop.latched`, `estop.reset`, `protective_stop`, or a `ConfirmationKind`, `BackupEventKind`, `ChangeKind` or
   * `SoftwareEventKind`.
   */
  kind: string;
  by: Actor;
  /** The name of the backup; present for a `BackupEventKind` and for the restore of a backup. */
  backup?: string;
  /** Present for a `ChangeKind`. */
  change?: Change;
  /** Present for a `SoftwareEventKind`. */
  software?: SoftwareFacts;
  /** Identifies the press of Stop all that latched the stop; one press may have stopped several carts. */
  pressId?: string;
  /** True if the event changed nothing, such as a press while the stop was already latched. Not stored. */
  repeated?: boolean;
  /** Present if the entry stands for several repeated events. */
  repeats?: Repeats;
}

/** An entry that is stored before the decision takes effect. */
export interface ConfirmationEntry
  extends Pick<SafetyEntry, 'cartID' | 'by' | 'backup' | 'change' | 'software'> {
  kind: ConfirmationKind | SiteEventKind | SoftwareEventKind;
}

/** An administrator's decision about data that was lost or restored. */
export type ConfirmationKind =
  | 'payments.confirmed'
  | 'loss.acknowledged'
  | 'restore.started'
  | 'restore.confirmed'
  | 'restore.undone';

/** An administrator's action on a backup of the whole gateway. */
export type BackupEventKind =
  | 'backup.made'
  | 'backup.uploaded'
  | 'backup.deleted'
  | 'backup.scheduled'
  | 'backup.unscheduled';

/** Changes that affect the cart's behaviour, apart from those of the gateway's software. */
export type ChangeKind = 'settings.changed' | 'firmware.changed' | SiteEventKind;

/** `site.frame_changed`: a change of the floor plan, a marker or the position of the cart while there are zones. */
type SiteEventKind = 'site.changed' | 'site.overridden' | 'site.frame_changed';

/** Changes that can affect how the cart drives and stops. Their entries are kept for five years. */
export const CHANGE_KINDS: readonly (ChangeKind | SoftwareEventKind)[] = [
  'settings.changed',
  'firmware.changed',
  'site.changed',
  'site.overridden',
  'site.frame_changed',
  'software.update_requested',
  'software.installed',
  'software.returned',
  'software.update_failed',
];

export interface Change {
  /**
   * Settings: the number in the settings history. Firmware: the version that the controller reports. Site plan: its
   * version.
   */
  version: string;
  /** Firmware: the previous version; absent if it is unknown. */
  from?: string;
  /**
   * SHA-256 of the settings (as stored in the settings history, with secrets masked), of the firmware's hex file or of
   * the zones and places. Empty for an override of the zones and for `site.frame_changed`.
   */
  sha256: string;
  /**
   * Settings, zones and places: the changed values. `path` is a JSON pointer; secrets are masked. An override of the
   * zones: `/override` with its reason and its time in seconds. `site.frame_changed`: `/plan`, `/position` or
   * `/markers/{id}`.
   */
  values?: readonly { path: string; from?: unknown; to?: unknown }[];
}

export const OUTCOMES = [
  'estop',
  'protective',
  'failed',
  'cancelled',
  'finished',
  'running',
  'reset',
  'confirmed',
  'backup',
  'change',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The reasons for stops before the end of a command that the statistics distinguish. */
export const STOP_REASONS = ['estop', 'protective', 'connection', 'controller', 'person', 'other'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export interface IndexColumns {
  /** All rows of a command have the same key. */
  indexKey: string;
  /** Unix time in ms; for a command, the time when it was accepted. */
  eventAt: number;
  /** JSON of the person or the condition that caused the entry. */
  actor: string;
  /** The actor's name, by which the API filters and groups; empty if no person caused the event. */
  person: string;
  kind: string;
  outcome: Outcome;
  reason: string;
  distanceMm: number;
  /** Lower-case text for searches. */
  words: string;
  /** Identifies the press of Stop all that latched the stop; empty for all other entries. */
  pressId: string;
  /** Number of events for which the entry stands. */
  times: number;
  /** Number of these events that no entry of another cart counts. */
  presses: number;
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
  'payments.confirmed': 'confirmed',
  'loss.acknowledged': 'confirmed',
  'backup.made': 'backup',
  'backup.uploaded': 'backup',
  'backup.deleted': 'backup',
  'backup.scheduled': 'backup',
  'backup.unscheduled': 'backup',
  'restore.started': 'backup',
  'restore.confirmed': 'backup',
  'restore.undone': 'backup',
  'settings.changed': 'change',
  'firmware.changed': 'change',
  'site.changed': 'change',
  'site.overridden': 'change',
  'site.frame_changed': 'change',
  'software.update_requested': 'change',
  'software.installed': 'change',
  'software.returned': 'change',
  'software.update_failed': 'change',
};
const MAX_WORDS = 1000;

/** @param words the text that the pages display about the command, in all languages. */
export function commandColumns(command: CommandEntry, by: Actor, words: string): IndexColumns {
  const { commandId, acceptedAt, kind, state, reason, result } = command;
  const person = actorName(by);
  return {
    indexKey: `${commandId}@${acceptedAt}`,
    eventAt: Date.parse(acceptedAt),
    actor: actorJson(by),
    person,
    kind,
    outcome: STATE_OUTCOMES[state] ?? 'running',
    reason: reason?.code ?? '',
    distanceMm: Math.abs(Math.round(result?.distanceMm ?? 0)),
    words: searchable(person, reason?.code ?? '', words, commandId),
    pressId: '',
    times: 1,
    presses: 1,
  };
}

/** @param words the text that the pages display about the event, in all languages. */
export function safetyColumns(
  { kind, by, pressId = '', repeats }: SafetyEntry,
  { key, at, words, presses = 1 }: { key: string; at: number; words: string; presses?: number },
): IndexColumns {
  return {
    indexKey: key,
    eventAt: at,
    kind,
    reason: '',
    distanceMm: 0,
    actor: actorJson(by),
    person: isPerson(by) ? actorName(by) : '',
    outcome: EVENT_OUTCOMES[kind] ?? 'estop',
    words: searchable(kind, words),
    pressId,
    times: repeats?.count ?? 1,
    presses,
  };
}

/** Returns the reason for a stop; undefined if the entry is not a stop or another entry records the stop. */
export function stopReasonOf({
  outcome,
  reason,
}: Pick<IndexColumns, 'outcome' | 'reason'>): StopReason | undefined {
  if (outcome === 'estop' || outcome === 'protective') return outcome;
  return REASONS.get(reason);
}

/**
 * Codes of commands that a gateway ends with a protective stop. The gateway's own cart also has a
 * `protective_stop` entry for such a stop; remote carts have only the command.
 */
export const PROTECTIVE_CODES: readonly ErrorCode[] = [
  'PROTECTIVE_STOP',
  'LOOP_LAG',
  'HEARTBEAT_LOST',
  'DUPLICATE_IDENTITY',
  'ZONE_BLOCKED',
  'ZONE_MANUAL_ONLY',
  'POSE_LOST',
];

/** Error codes of commands whose motion ended early. A latched stop has its own entry. */
const STOP_CODES: Readonly<Record<Exclude<StopReason, 'estop'>, readonly ErrorCode[]>> = {
  protective: [...PROTECTIVE_CODES, 'SENSOR_SILENT', 'OBSTACLE'],
  connection: [
    'SERIAL_LOST',
    'CONTROLLER_RESET',
    'LINE_NOISE',
    'CART_OFFLINE',
    'BROKER_DOWN',
    'CONNECTION_LOST',
    'CONNECTION_SLOW',
    'LEASE_ENDED',
  ],
  controller: ['CONTROLLER_STOPPED', 'CONTROLLER_FAULT', 'CONTROLLER_FAILED', 'CONTROLLER_DISARMED'],
  person: ['STOPPED'],
  other: ['TIMEOUT', 'NOT_STOPPED', 'GATEWAY_RESTART', 'CART_RESTARTED', 'RESULT_UNKNOWN', 'STOPPING'],
};
const REASONS: ReadonlyMap<string, StopReason> = new Map(
  STOP_REASONS.flatMap((reason) =>
    reason === 'estop' ? [] : STOP_CODES[reason].map((code): [string, StopReason] => [code, reason]),
  ),
);

/** Codes of commands that a protective stop ended without a separate `protective_stop` entry. */
export const UNRECORDED_PROTECTIVE_CODES: readonly ErrorCode[] = STOP_CODES.protective.filter(
  (code) => !PROTECTIVE_CODES.includes(code),
);

function searchable(...words: string[]): string {
  return words.join(' ').toLowerCase().slice(0, MAX_WORDS);
}

import type { LightData } from '../../i18n/format.js';
import type { Text } from '../../shared/messages/message.js';
import type { CartMove, CartPosition, CartView, CommandView } from '../command/model.js';
import type { BrokerView } from '../labels/labels.js';

export interface LinksView {
  broker: BrokerView;
  camera: LightData;
}

/**
 * An event of `GET /events`. Gaps in `seq` are harmless, because every event carries the complete current
 * value.
 */
interface LiveEvent {
  seq: number;
  /** Time in ms on the gateway's monotonic clock; pages compute the network latency from it. */
  sentMs: number;
}

/** The first event on every connection. A new `bootId` means that the gateway has restarted. */
export interface SnapshotEvent extends LiveEvent {
  bootId: string;
  serverTimeMs: number;
  gateway: { name: string; cartID: number; fleet: string; simulated: boolean; version: string };
  links: LinksView;
  carts: CartView[];
  /** At most 20 commands, newest first. */
  commands: CommandView[];
  positions: CartPosition[];
  trial: TrialNote | null;
  moves: CartMove[];
  /** Result of `unitsFingerprint` for the current settings. */
  meaning: string;
  /** Permits stops after the session has expired. Null except in a stream's first snapshot. */
  stopToken: string | null;
}

export interface PositionEvent extends LiveEvent {
  position: CartPosition;
}

export interface CartEvent extends LiveEvent {
  cart: CartView;
}

export interface CommandEvent extends LiveEvent {
  command: CommandView;
}

export interface LinksEvent extends LiveEvent {
  links: LinksView;
}

/** A settings trial: a change that is rolled back unless it is confirmed. */
export interface TrialNote {
  id: string;
  by: string;
  /** Titles of the changed sections, for example `MQTT broker, Limits`. */
  what: Text;
  leftMs: number;
}

export interface TrialEvent extends LiveEvent {
  trial: TrialNote | null;
}

/**
 * The carts that this gateway's users and API keys are moving, each with the user or key that is moving it.
 */
export interface MovesEvent extends LiveEvent {
  moves: CartMove[];
}

/**
 * Sent when the settings change. If `meaning` has changed, the same numbers in a command now result in a
 * different motion.
 */
export interface UnitsFingerprintEvent extends LiveEvent {
  meaning: string;
}

/** Keepalive event, sent every 250 ms with the age of each cart's data in ms. */
export interface BeatEvent extends LiveEvent {
  serverTimeMs: number;
  ages: Record<string, number | null>;
}

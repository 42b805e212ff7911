import type { LightData } from '../../i18n/format.js';
import type { Text } from '../../shared/messages/message.js';
import type { CartMove, CartPosition, CartView, CommandView } from '../command/model.js';
import type { BrokerView } from '../labels/labels.js';

export interface LinksView {
  broker: BrokerView;
  camera: LightData;
}

/**
 * An event of `GET /events`, as JSON in `data:`. `seq` increases but can have gaps: an event that a slow
 * client missed is not sent later, because every event carries the complete current value.
 */
interface LiveEvent {
  seq: number;
  /**
   * Time in ms on the gateway's monotonic clock at which the event was sent. Pages use it to compute the
   * network latency.
   */
  sentMs: number;
}

/** The first event on every connection. If `bootId` has changed, the gateway has restarted. */
export interface SnapshotEvent extends LiveEvent {
  bootId: string;
  serverTimeMs: number;
  gateway: { name: string; cartID: number; fleet: string; simulated: boolean; version: string };
  links: LinksView;
  carts: CartView[];
  /** The latest commands, newest first; at most 20. */
  commands: CommandView[];
  positions: CartPosition[];
  trial: TrialNote | null;
  moves: CartMove[];
  /** Result of `unitsFingerprint` for the current settings. */
  meaning: string;
  /**
   * Permits stops after the session has expired. Sent only in the first snapshot of a stream; null in later
   * ones.
   */
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
  /** Remaining time in ms when the event was sent. */
  leftMs: number;
}

export interface TrialEvent extends LiveEvent {
  trial: TrialNote | null;
}

/** Carts that are moved by this gateway's users and API keys, with the user or key that moves each cart. */
export interface MovesEvent extends LiveEvent {
  moves: CartMove[];
}

/**
 * Sent when the settings have changed. If `meaning` has changed, the numbers in a command have a different
 * meaning.
 */
export interface UnitsFingerprintEvent extends LiveEvent {
  meaning: string;
}

/** Keepalive event, sent every 250 ms with the age of each cart's data in ms. */
export interface BeatEvent extends LiveEvent {
  serverTimeMs: number;
  ages: Record<string, number | null>;
}

import type { LightData } from '../../i18n/format.js';
import type { Text } from '../../shared/messages/message.js';
import type { CartMove, CartPosition, CartView, CommandView } from '../command/model.js';
import type { BrokerView } from '../labels/labels.js';

export interface LinksView {
  broker: BrokerView;
  camera: LightData;
}

/**
 * An event of `GET /events`, as JSON in `data:`. `seq` increases, with gaps: events that a slow client missed
 * are not sent later, because every event carries the complete current value.
 */
interface LiveEvent {
  seq: number;
  /** Send time on the gateway's monotonic clock, from which a page computes the network latency. */
  sentMs: number;
}

/** First event of every connection. A changed `bootId` means that the gateway has restarted. */
export interface SnapshotEvent extends LiveEvent {
  bootId: string;
  serverTimeMs: number;
  gateway: { name: string; cartID: number; fleet: string; simulated: boolean; version: string };
  links: LinksView;
  carts: CartView[];
  /** Newest first, 20 at most. */
  commands: CommandView[];
  positions: CartPosition[];
  trial: TrialNote | null;
  moves: CartMove[];
  /** `unitsFingerprint` of the settings. */
  meaning: string;
  /** Permits stops after the session has expired; only in the first snapshot of a stream. */
  stopToken: string | null;
}

/** A cart's position, derived from the beacons that it received. */
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
  /** The sections that were changed: `MQTT broker, Limits`. */
  what: Text;
  /** Remaining time when the event was sent. */
  leftMs: number;
}

/** A trial has begun or ended. */
export interface TrialEvent extends LiveEvent {
  trial: TrialNote | null;
}

/** Carts being moved through this gateway, each with the user or key that moves it. */
export interface MovesEvent extends LiveEvent {
  moves: CartMove[];
}

/** The settings have changed. If `meaning` differs, the numbers in a command have a different meaning. */
export interface UnitsFingerprintEvent extends LiveEvent {
  meaning: string;
}

/** Every 250 ms: keepalive, with the age of each cart's data in ms. */
export interface BeatEvent extends LiveEvent {
  serverTimeMs: number;
  ages: Record<string, number | null>;
}

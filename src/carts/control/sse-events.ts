import type { LightData } from '../../i18n/format.js';
import type { Text } from '../../shared/messages/message.js';
import type { CartMove, CartPosition, CartView, CommandView } from '../command/model.js';
import type { BrokerView } from '../labels/labels.js';

/** What the gateway is connected to. */
export interface LinksView {
  broker: BrokerView;
  camera: LightData;
}

/**
 * The events of `GET /events`, as JSON in `data:`. `seq` rises, by any amount: what a slow reader missed is not sent
 * later, because every event carries the whole newest value.
 */

/** What all of them have. */
interface LiveEvent {
  seq: number;
  /** When it was sent, by the gateway's monotonic clock: a page reckons from it how long it waited in the network. */
  sentMs: number;
}

/** First on every connection. Another `bootId` than before: the gateway was started again. */
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
  /** Stands for the settings that say what the numbers of a command mean: `meaningOf`. */
  meaning: string;
  /** Stops carts also when the session has expired; only in the first snapshot of a stream. */
  stopToken: string | null;
}

/** Where a cart is by the beacons that it heard. */
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

/** A change of the settings that undoes itself unless somebody confirms it. */
export interface TrialNote {
  id: string;
  by: string;
  /** The sections that were changed: `MQTT broker, Limits`. */
  what: Text;
  /** When this was sent. */
  leftMs: number;
}

/** A change has gone on trial, or is no longer. */
export interface TrialEvent extends LiveEvent {
  trial: TrialNote | null;
}

/** Which carts are moved through this gateway, and by which user or key. */
export interface MovesEvent extends LiveEvent {
  moves: CartMove[];
}

/** The settings have changed. With another `meaning` than before, numbers mean something else now. */
export interface UnitsFingerprintEvent extends LiveEvent {
  meaning: string;
}

/** Every 250 ms: the connection lives, and this is how old the picture of each cart is. */
export interface BeatEvent extends LiveEvent {
  serverTimeMs: number;
  ages: Record<string, number | null>;
}

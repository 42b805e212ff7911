import type { CartPosition, CartView, CommandView } from './model.js';
import type { BrokerView, LightView } from './words.js';

/** What the gateway is connected to. */
export interface LinksView {
  broker: BrokerView;
  camera: LightView;
}

/**
 * The events of `GET /events`, as JSON in `data:`. `seq` rises, by any amount: what a slow reader missed is not sent
 * later, because every event carries the whole newest value.
 */

/** First on every connection. Another `bootId` than before: the gateway was started again. */
export interface SnapshotEvent {
  seq: number;
  bootId: string;
  serverTimeMs: number;
  gateway: { name: string; cartID: number; fleet: string; simulated: boolean; version: string };
  links: LinksView;
  carts: CartView[];
  /** Newest first, 20 at most. */
  commands: CommandView[];
  positions: CartPosition[];
  trial: TrialNote | null;
}

/** Where a cart is by the beacons that it heard. */
export interface PositionEvent {
  seq: number;
  position: CartPosition;
}

export interface CartEvent {
  seq: number;
  cart: CartView;
}

export interface CommandEvent {
  seq: number;
  command: CommandView;
}

export interface LinksEvent {
  seq: number;
  links: LinksView;
}

/** A change of the settings that undoes itself unless somebody confirms it. */
export interface TrialNote {
  id: string;
  by: string;
  /** The sections that were changed: `MQTT broker, Limits`. */
  what: string;
  /** When this was sent. */
  leftMs: number;
}

/** A change has gone on trial, or is no longer. */
export interface TrialEvent {
  seq: number;
  trial: TrialNote | null;
}

/** Every 250 ms: the connection lives, and this is how old the picture of each cart is. */
export interface BeatEvent {
  seq: number;
  serverTimeMs: number;
  ages: Record<string, number | null>;
}

import type { LightData } from '../../i18n/format.js';
import type { Text } from '../../shared/messages/message.js';
import type { CartMove, CartPosition, CartView, CommandView } from '../command/model.js';
import type { Phase } from '../firmware/update-machine.js';

/** The broker connection, with the same fields as the port's `BusStatus`. */
export interface BrokerView {
  connected: boolean;
  reason: Text;
  url: string;
  embedded: boolean;
}

export interface LinksView {
  broker: BrokerView;
  camera: LightData;
}

/** Every event of `GET /events` carries the complete current value, so gaps in `seq` are harmless. */
interface LiveEvent {
  seq: number;
  /** Send time in ms on the gateway's monotonic clock, from which pages compute the network latency. */
  sentMs: number;
}

/** Sent first on every connection. A new `bootId` means that the gateway has restarted. */
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
  trialEnded: TrialEndNote | null;
  moves: CartMove[];
  firmware: FirmwareProgress;
  zoneOverride: ZoneOverride | null;
  /** Result of `unitsFingerprint` for the current settings. */
  meaning: string;
  /** Permits stops after the session has expired; null except in a stream's first snapshot. */
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

/** A change to the settings that is rolled back unless it is confirmed. */
export interface TrialNote {
  id: string;
  by: Text;
  /** Titles of the changed sections, for example `MQTT broker, Limits`. */
  what: Text;
  leftMs: number;
}

/** How the latest trial since the gateway's start ended; `by` is empty if it expired. */
export interface TrialEndNote {
  id: string;
  what: Text;
  outcome: 'confirmed' | 'rolledBack' | 'expired';
  by: Text;
}

export interface TrialEvent extends LiveEvent {
  trial: TrialNote | null;
  trialEnded: TrialEndNote | null;
}

/** The carts that this gateway's users and API keys are moving. */
export interface MovesEvent extends LiveEvent {
  moves: CartMove[];
}

/** If `meaning` has changed, the same numbers in a command now result in a different motion. */
export interface UnitsFingerprintEvent extends LiveEvent {
  meaning: string;
}

/** Progress of an update of the motor controller's firmware. */
export interface FirmwareProgress {
  phase: Phase;
  percent: number;
}

export interface FirmwareEvent extends LiveEvent {
  firmware: FirmwareProgress;
}

/** The version of the zones and places, which `GET /zones` and `GET /places` return. */
export interface SitePlanState {
  version: number;
  planHash: string | null;
  needsReview: boolean;
}

export interface SitePlanEvent extends LiveEvent {
  sitePlan: SitePlanState;
}

/** An operator drives by hand through zones, which still apply to all other motions. */
export interface ZoneOverride {
  /** Name of the operator. */
  by: string;
  reason: string;
  leftMs: number;
}

/** Null if the override has ended before its time. */
export interface ZoneOverrideEvent extends LiveEvent {
  zoneOverride: ZoneOverride | null;
}

/** Sent every 250 ms as a keepalive, with the age of each cart's data in ms. */
export interface BeatEvent extends LiveEvent {
  serverTimeMs: number;
  ages: Record<string, number | null>;
}

/** This gateway with its connections and carts. */
export interface Overview {
  gateway: { name: string; cartID: number; fleet: string; simulated: boolean; version: string };
  links: LinksView;
  /** This gateway's cart and the remote carts with the lowest numbers; a large fleet has more carts. */
  carts: CartView[];
  /** True if no login is required on this network. */
  trustedLan: boolean;
  /** True if a time server has set the clock; undefined if unknown. */
  clockSynced?: boolean | undefined;
  trial?: TrialNote | undefined;
  trialEnded?: TrialEndNote | undefined;
}

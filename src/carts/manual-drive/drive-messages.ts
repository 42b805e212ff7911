import type { Text } from '../../shared/messages/message.js';
import type { Reason } from '../command/model.js';

export type { DriveMessage, LetGo } from './schema.js';

export interface DriverView {
  name: string;
  /** True for the client that receives this state. */
  isYou: boolean;
}

export interface HolderView extends DriverView {
  isDriving: boolean;
  /** True if the holder has not driven for 5 s, so that a request takes control immediately. */
  isIdle: boolean;
}

/** The complete state, sent to the lease holder ten times a second and to all clients on every change. */
export interface DriveState {
  /** The state's sequence number; a `drive` message names the latest state that the page has received. */
  n: number;
  /** Number of the lease that this page holds; 0 if it holds none. */
  lease: number;
  mayDrive: boolean;
  driver: HolderView | null;
  /** Clients that have requested the lease, oldest request first. */
  asking: DriverView[];
  /** Why control ended or was denied. `stopped`: the cart was being driven and was stopped. */
  ended: (Reason & { hint: Text; stopped: boolean }) | null;
  /** Sequence number and age in ms of the latest `drive` message accepted from this client. */
  seq: number;
  heldMs: number;
  most: ManualLimits;
  /** A stop token, sent only in the first state on a socket. */
  stopToken?: string;
}

/** Limits for manual drive, and the deceleration that determines the braking distance. */
export interface ManualLimits {
  speedMmps: number;
  turnDegps: number;
  decelMmps2: number;
}

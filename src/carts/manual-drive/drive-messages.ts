import type { Text } from '../../shared/messages/message.js';
import type { Reason } from '../command/model.js';

export type { DriveMessage, LetGo } from './schema.js';

/** A client of the drive socket, as other clients see it. */
export interface DriverView {
  name: string;
  /** True for the client that receives this state. */
  isYou: boolean;
}

/**
 * Message from the gateway on the drive socket; always the complete state. Sent to the lease holder ten times
 * a second, and to other clients on every change.
 */
export interface DriveState {
  /** Increases with every state; `drive` messages quote the latest one received. */
  n: number;
  /** Number of the lease that this page holds; 0 = none. */
  lease: number;
  mayDrive: boolean;
  /** The lease holder. */
  driver: (DriverView & { isDriving: boolean }) | null;
  /** Clients that have requested the lease, oldest request first. */
  asking: DriverView[];
  /** Why this client lost the lease or did not obtain it. */
  ended: (Reason & { hint: Text }) | null;
  /** Sequence number of the latest `drive` message accepted from this client, and its age in ms. */
  seq: number;
  heldMs: number;
  /** Limits of manual drive. */
  most: { speedMmps: number; turnDegps: number };
  /** As in the first snapshot of `/events`; only in the first state sent on a socket. */
  stopToken?: string;
}

import type { Text } from '../../shared/messages/message.js';
import type { Reason } from '../command/model.js';

export type { DriveMessage as DriveWord, LetGo } from './schema.js';

/** Somebody at the drive socket, as the others see them. */
export interface DriverView {
  name: string;
  /** It is the one who is told. */
  isYou: boolean;
}

/**
 * What the gateway says on the drive socket: always the whole, so that nothing needs to be remembered. To the holder of
 * the lease ten times a second, to the others when something has changed.
 */
export interface DriveState {
  /** Rises with every state; a driver's words quote the newest that he has. */
  n: number;
  /** The lease that this page holds; 0 = none. */
  lease: number;
  mayDrive: boolean;
  /** Who holds the lease, if anybody does. */
  driver: (DriverView & { isDriving: boolean }) | null;
  /** Who asks for it, first come first. */
  asking: DriverView[];
  /** Why this page lost the lease or did not get it; null when there is nothing to explain. */
  ended: (Reason & { hint: Text }) | null;
  /** The newest word that was taken from this page, and how long ago that was, in ms. */
  seq: number;
  heldMs: number;
  /** How fast this cart may be driven by hand. */
  most: { speedMmps: number; turnDegps: number };
  /** As in the first snapshot of `/events`; only in the first state of a socket. */
  stopToken?: string;
}

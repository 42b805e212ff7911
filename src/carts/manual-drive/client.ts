import type { Actor } from '../../shared/actor.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { DriveMessage, DriveState } from './drive-messages.js';

/**
 * Maximum age of the state that a `drive` message names: 150 ms of network delay each way, and 100 ms for
 * each of the two send intervals.
 */
const SEEN_WITHIN_MS = 500;
/** Maximum number of states that are remembered; exceeds the number that are sent within `SEEN_WITHIN_MS`. */
const MAX_STATES = 16;

export interface DriveClientPort {
  actor: Actor;
  mayDrive: boolean;
  mayStay(): boolean;
  /** Sends a state without blocking; must not throw. */
  send(state: DriveState): void;
}

/** The fields of a state that are the same for all clients. */
export type SharedState = Omit<DriveState, 'n' | 'mayDrive' | 'ended' | 'seq' | 'heldMs'>;

/** A page connected to the drive socket. */
export class DriveClient {
  readonly port: DriveClientPort;
  ended: DriveState['ended'] = null;
  /** True if motion was forbidden when control ended or was requested. */
  isRefused = false;
  #clock: Clock;
  #n = 0;
  #sentAtMs = new Map<number, number>();
  #seq = 0;
  #receivedAtMs = 0;

  constructor(port: DriveClientPort, clock: Clock) {
    this.port = port;
    this.#clock = clock;
  }

  send(shared: SharedState): void {
    const { port, ended } = this;
    const now = this.#clock.now();
    this.#n += 1;
    this.#sentAtMs.set(this.#n, now);
    this.#sentAtMs.delete(this.#n - MAX_STATES);
    const heldMs = Math.round(now - this.#receivedAtMs);
    port.send({ n: this.#n, ...shared, mayDrive: port.mayDrive, ended, seq: this.#seq, heldMs });
  }

  /** Returns false if this message or a newer one has already been received. */
  accept({ seq }: Extract<DriveMessage, { say: 'drive' | 'hold' }>): boolean {
    if (seq <= this.#seq) return false;
    this.#seq = seq;
    this.#receivedAtMs = this.#clock.now();
    return true;
  }

  /** Returns true if the message names a recent state, regardless of the page's clock. */
  isFresh({ heard }: Extract<DriveMessage, { say: 'drive' | 'hold' }>): boolean {
    const sentAtMs = this.#sentAtMs.get(heard);
    return sentAtMs !== undefined && this.#clock.now() - sentAtMs <= SEEN_WITHIN_MS;
  }
}

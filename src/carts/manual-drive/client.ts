import type { Clock } from '../../shared/ports/clock.js';
import type { DriveMessage, DriveState } from './drive-messages.js';

/**
 * Maximum age of the state on which a `drive` message is based: 150 ms of network delay each way, and 100 ms
 * for each of the two send intervals.
 */
const SEEN_WITHIN_MS = 500;
/** More than the number of states sent within `SEEN_WITHIN_MS`. */
const MAX_STATES = 16;

export interface DriveClientPort {
  name: string;
  mayDrive: boolean;
  mayStay(): boolean;
  /** Must neither block nor throw. */
  send(state: DriveState): void;
}

/** The fields of a state that do not depend on the client's messages. */
export type SharedState = Omit<DriveState, 'n' | 'mayDrive' | 'ended' | 'seq' | 'heldMs'>;

/** A page on the drive socket: the states sent to it, its latest message, and why its lease ended. */
export class DriveClient {
  readonly port: DriveClientPort;
  ended: DriveState['ended'] = null;
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

  /** Returns false if the same message or a newer one has already been received. */
  accept({ seq }: Extract<DriveMessage, { say: 'drive' }>): boolean {
    if (seq <= this.#seq) return false;
    this.#seq = seq;
    this.#receivedAtMs = this.#clock.now();
    return true;
  }

  /**
   * True if the message refers to a recent state. This check detects delays independently of the page's
   * clock.
   */
  isFresh({ heard }: Extract<DriveMessage, { say: 'drive' }>): boolean {
    const sentAtMs = this.#sentAtMs.get(heard);
    return sentAtMs !== undefined && this.#clock.now() - sentAtMs <= SEEN_WITHIN_MS;
  }
}

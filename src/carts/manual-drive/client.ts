import type { Clock } from '../../shared/ports/clock.js';
import type { DriveMessage, DriveState } from './drive-messages.js';

/**
 * Maximum age of the latest state that a page had received when it sent a `drive` message. Page and gateway
 * each send every 100 ms, which leaves 150 ms of network delay in each direction.
 */
const SEEN_WITHIN_MS = 500;
/** More states than are sent within `SEEN_WITHIN_MS`. */
const MAX_STATES = 16;

/** The socket of one page, as the manual drive sees it. */
export interface DriveClientPort {
  name: string;
  mayDrive: boolean;
  /** False once the login or the right to drive has ended. */
  mayStay(): boolean;
  /** Must neither block nor throw. */
  send(state: DriveState): void;
}

/** The part of a state that does not depend on the client's own messages. */
export type SharedState = Omit<DriveState, 'n' | 'mayDrive' | 'ended' | 'seq' | 'heldMs'>;

/** One page on the drive socket: the states sent to it, its latest message, and why its lease ended. */
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

  /** Records a message; returns false if a newer one has already been received. */
  accept({ seq }: Extract<DriveMessage, { say: 'drive' }>): boolean {
    if (seq <= this.#seq) return false;
    this.#seq = seq;
    this.#receivedAtMs = this.#clock.now();
    return true;
  }

  /** True if the message quotes a recent state: detects delayed messages without using the page's clock. */
  isFresh({ heard }: Extract<DriveMessage, { say: 'drive' }>): boolean {
    const sentAtMs = this.#sentAtMs.get(heard);
    return sentAtMs !== undefined && this.#clock.now() - sentAtMs <= SEEN_WITHIN_MS;
  }
}

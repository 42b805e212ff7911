import type { Clock } from '../../shared/ports/clock.js';
import type { DriveState, DriveWord } from './drive-messages.js';

/**
 * How old the newest state that a driver had seen may be when his word arrives: his page speaks every 100 ms and is told
 * every 100 ms, so that the network may take 150 ms each way.
 */
const SEEN_WITHIN_MS = 500;
/** More than are told within `SEEN_WITHIN_MS`. */
const STATES_KEPT = 16;

/** Whoever sits at a drive socket. */
export interface DriveClientPort {
  name: string;
  mayDrive: boolean;
  /** Whether who was let in would be let in still. */
  mayStay(): boolean;
  /** Must not wait, and must not throw. */
  tell(state: DriveState): void;
}

/** What a place is told of everybody; the rest it knows itself. */
export type SharedState = Omit<DriveState, 'n' | 'mayDrive' | 'ended' | 'seq' | 'heldMs'>;

/** One page at the drive socket: what it was told and when, what it said last, and why it drives no more. */
export class DriveClient {
  readonly seat: DriveClientPort;
  ended: DriveState['ended'] = null;
  #clock: Clock;
  #n = 0;
  #toldAtMs = new Map<number, number>();
  #seq = 0;
  #heardAtMs = 0;

  constructor(seat: DriveClientPort, clock: Clock) {
    this.seat = seat;
    this.#clock = clock;
  }

  tell(shared: SharedState): void {
    const { seat, ended } = this;
    const now = this.#clock.now();
    this.#n += 1;
    this.#toldAtMs.set(this.#n, now);
    this.#toldAtMs.delete(this.#n - STATES_KEPT);
    const heldMs = Math.round(now - this.#heardAtMs);
    seat.tell({ n: this.#n, ...shared, mayDrive: seat.mayDrive, ended, seq: this.#seq, heldMs });
  }

  /** Takes note of a word; false for one that is older than what was heard already. */
  hear({ seq }: Extract<DriveWord, { say: 'drive' }>): boolean {
    if (seq <= this.#seq) return false;
    this.#seq = seq;
    this.#heardAtMs = this.#clock.now();
    return true;
  }

  /**
   * Whether a word was said by somebody who had just been told something: what lay in a queue on its way is of no use, and
   * no clock of the page needs to be right to see that.
   */
  isFresh({ heard }: Extract<DriveWord, { say: 'drive' }>): boolean {
    const toldAtMs = this.#toldAtMs.get(heard);
    return toldAtMs !== undefined && this.#clock.now() - toldAtMs <= SEEN_WITHIN_MS;
  }
}

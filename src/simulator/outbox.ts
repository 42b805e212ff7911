import type { FrameOf } from '../carts/codec.js';
import type { Cancel, Clock } from '../ports.js';

const TRIES = 3;
const EVERY_MS = 60;

/** What an EVENT says. */
export type EventBody = Pick<
  FrameOf<'EVENT'>,
  'type' | 'wireId' | 'event' | 'code' | 'finalMm' | 'finalDdeg'
>;

/** Events that wait for their ACK: each is sent three times at most, under the same `seq`. */
export class Outbox {
  readonly #clock: Clock;
  readonly #send: (event: EventBody, seq: number, retry: boolean) => void;
  readonly #waiting = new Map<number, Cancel>();

  constructor(clock: Clock, send: (event: EventBody, seq: number, retry: boolean) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  post(event: EventBody, seq: number): void {
    this.settle(seq);
    this.#try(event, seq, 1);
  }

  /** The host has it. */
  settle(seq: number): void {
    this.#waiting.get(seq)?.();
    this.#waiting.delete(seq);
  }

  /** Nobody is there any more to tell. */
  clear(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #try(event: EventBody, seq: number, count: number): void {
    // Armed before it is sent: the answer may come before `send` returns.
    if (count < TRIES) {
      this.#waiting.set(
        seq,
        this.#clock.after(EVERY_MS, () => this.#try(event, seq, count + 1)),
      );
    } else this.#waiting.delete(seq);
    this.#send(event, seq, count > 1);
  }
}

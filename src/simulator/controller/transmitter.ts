import type { Frame, FrameBody, FrameHead, FrameOf } from '../../carts/serial/codec/codec.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import type { Line } from './line.js';

const EVENT_TRIES = 3;
const EVENT_EVERY_MS = 60;

/** What an EVENT says. */
export type EventBody = Pick<
  FrameOf<'EVENT'>,
  'type' | 'wireId' | 'event' | 'code' | 'finalMm' | 'finalDdeg'
>;

interface TransmitterDeps {
  clock: Clock;
  line: Line;
  encode: (frame: Frame) => Uint8Array;
  /** The running session; 0 = none. */
  session: () => number;
}

/** Puts frames on the line under the controller's own numbers, and events until somebody acknowledges them. */
export class Transmitter {
  readonly #deps: TransmitterDeps;
  readonly #unacknowledged = new Map<number, Cancel>();
  #seq = 0;

  constructor(deps: TransmitterDeps) {
    this.#deps = deps;
  }

  send(body: FrameBody, head: Partial<FrameHead> = {}): void {
    const { line, encode, session } = this.#deps;
    const own = { session: session(), ackReq: false, reply: false, retry: false };
    line.send(encode({ ...own, ...head, seq: head.seq ?? this.#nextSeq(), ...body }));
  }

  /** Sends an event three times at most, under the same `seq`. */
  post(event: EventBody): void {
    const seq = this.#nextSeq();
    this.settle(seq);
    this.#try(event, seq, 1);
  }

  /** The host has the event of this number. */
  settle(seq: number): void {
    this.#unacknowledged.get(seq)?.();
    this.#unacknowledged.delete(seq);
  }

  /** Nobody is there any more to tell; no timer is left. */
  clear(): void {
    for (const cancel of this.#unacknowledged.values()) cancel();
    this.#unacknowledged.clear();
  }

  #try(event: EventBody, seq: number, count: number): void {
    this.#unacknowledged.delete(seq);
    // Armed before it is sent: the answer may come before `send` returns.
    if (count < EVENT_TRIES) {
      const again = (): void => this.#try(event, seq, count + 1);
      this.#unacknowledged.set(seq, this.#deps.clock.after(EVENT_EVERY_MS, again));
    }
    this.send(event, { seq, retry: count > 1, ackReq: true });
  }

  #nextSeq(): number {
    const seq = this.#seq;
    this.#seq = (seq + 1) & 0xff;
    return seq;
  }
}

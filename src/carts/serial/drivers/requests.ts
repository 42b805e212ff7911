import { GatewayError } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import { type ResendPolicy, resend } from '../../../shared/retry.js';
import type { FrameOf } from '../codec/codec.js';
import { serialMessage } from '../messages.js';

interface Pending {
  what: RequestKind;
  cancel: Cancel;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The kinds of requests. */
export type RequestKind = 'move' | 'stop' | 'estop' | 'limits' | 'reset';

/** Requests that wait for their ACK or NACK, told apart by `seq`; each is sent again as its policy says. */
export class Requests {
  #clock: Clock;
  #pending = new Map<number, Pending>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends through `send(retry)` now and again until acknowledged. Rejects SERIAL_ACK_TIMEOUT when nobody answers,
   * and with the controller's own code when it refuses.
   */
  start(seq: number, what: RequestKind, policy: ResendPolicy, send: (retry: boolean) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Pending = { what, cancel: () => undefined, resolve, reject };
      this.#pending.set(seq, entry);
      const giveUp = (error: unknown = unacknowledged(what, policy)): void => {
        this.#take(seq);
        reject(error);
      };
      entry.cancel = resend(this.#clock, policy, (nth) => send(nth > 1), giveUp);
    });
  }

  /** Whether one of this kind waits for its answer. */
  has(what: RequestKind): boolean {
    return [...this.#pending.values()].some((pending) => pending.what === what);
  }

  /** Settles the request that the answer belongs to; false for a late or foreign answer. */
  settle(answer: FrameOf<'ACK'> | FrameOf<'NACK'>): boolean {
    const entry = this.#take(answer.seq);
    if (!entry) return false;
    if (answer.type === 'ACK') entry.resolve();
    else entry.reject(new GatewayError(`CONTROLLER_${answer.code}`, serialMessage(`nack.${answer.code}`)));
    return true;
  }

  /** Rejects what still waits, everything or all of one kind, and sends none of it again. */
  abandon(error: GatewayError, what?: RequestKind): void {
    for (const [seq, pending] of [...this.#pending]) {
      if (what === undefined || pending.what === what) this.#take(seq)?.reject(error);
    }
  }

  #take(seq: number): Pending | undefined {
    const entry = this.#pending.get(seq);
    entry?.cancel();
    this.#pending.delete(seq);
    return entry;
  }
}

/** The error of a request that was sent as often as its policy allows. */
export function unacknowledged(what: RequestKind, { everyMs, tries, graceMs }: ResendPolicy): GatewayError {
  const time = span(everyMs * (tries - 1) + graceMs);
  return new GatewayError('SERIAL_ACK_TIMEOUT', serialMessage(`unacknowledged.${what}`, { time, tries }));
}

import { GatewayError } from '../../../shared/errors.js';
import type { Cancel, Clock } from '../../../shared/ports/ports.js';
import { type ResendPolicy, resend } from '../../../shared/retry.js';
import { spanText } from '../../../shared/span.js';
import type { FrameOf } from '../codec/codec.js';

interface Pending {
  what: string;
  cancel: Cancel;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** What the controller's refusal means for the command, by NACK code. */
const REFUSALS: Record<FrameOf<'NACK'>['code'], string> = {
  BAD_LENGTH: 'the controller did not understand the frame (bad length)',
  UNKNOWN_TYPE: 'the controller does not know this kind of frame',
  BAD_SESSION: 'the controller has restarted since the handshake',
  ESTOP_ACTIVE: 'the emergency stop is active in the controller',
  FAULT: 'the controller reports a fault',
  BUSY: 'the controller is still busy with another motion',
  RANGE: 'the controller refused the distance, angle or speed as out of its range',
  EXPIRED: 'the command was too old when it reached the controller',
  UNSUPPORTED: 'the controller cannot do this',
  DISARMED: 'the controller is not armed',
};

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
  start(seq: number, what: string, policy: ResendPolicy, send: (retry: boolean) => void): Promise<void> {
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
  has(what: string): boolean {
    return [...this.#pending.values()].some((pending) => pending.what === what);
  }

  /** Settles the request that the answer belongs to; false for a late or foreign answer. */
  settle(answer: FrameOf<'ACK'> | FrameOf<'NACK'>): boolean {
    const entry = this.#take(answer.seq);
    if (!entry) return false;
    if (answer.type === 'ACK') entry.resolve();
    else entry.reject(new GatewayError(`CONTROLLER_${answer.code}`, REFUSALS[answer.code]));
    return true;
  }

  /** Rejects what still waits, everything or all of one kind, and sends none of it again. */
  abandon(error: GatewayError, what?: string): void {
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

function unacknowledged(what: string, { everyMs, tries, graceMs }: ResendPolicy): GatewayError {
  const waited = spanText(everyMs * (tries - 1) + graceMs);
  const text = `the controller did not acknowledge the ${what} within ${waited} (sent ${tries} times)`;
  return new GatewayError('SERIAL_ACK_TIMEOUT', text);
}

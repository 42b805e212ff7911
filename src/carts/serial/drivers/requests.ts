import { type ErrorCode, GatewayError } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import { type ResendPolicy, resend } from '../../../shared/retry.js';
import type { FrameOf, NackCode } from '../codec/codec.js';
import { serialMessage } from '../messages.js';

interface Pending {
  kind: RequestKind;
  cancel: Cancel;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export type RequestKind = 'move' | 'stop' | 'estop' | 'limits' | 'reset' | 'sensors' | 'field';

/** Requests that are waiting for a reply, identified by `seq`. */
export class Requests {
  #clock: Clock;
  #pending = new Map<number, Pending>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resends a request until it is acknowledged. Rejects with SERIAL_ACK_TIMEOUT or `CONTROLLER_<code>`. */
  start(seq: number, kind: RequestKind, policy: ResendPolicy, send: (retry: boolean) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Pending = { kind, cancel: () => undefined, resolve, reject };
      this.#pending.set(seq, entry);
      const giveUp = (error: unknown = unacknowledged(kind, policy)): void => {
        this.#take(seq);
        reject(error);
      };
      entry.cancel = resend(this.#clock, policy, (nth) => send(nth > 1), giveUp);
    });
  }

  has(kind: RequestKind): boolean {
    return [...this.#pending.values()].some((pending) => pending.kind === kind);
  }

  /** Returns false if the reply does not belong to a pending request. */
  settle(reply: FrameOf<'ACK'> | FrameOf<'NACK'> | FrameOf<'SENSORS_R'>): boolean {
    const entry = this.#take(reply.seq);
    if (!entry) return false;
    if (reply.type !== 'NACK') entry.resolve();
    else entry.reject(nackError(reply.code));
    return true;
  }

  abandon(error: GatewayError, kind?: RequestKind): void {
    for (const [seq, pending] of [...this.#pending]) {
      if (kind === undefined || pending.kind === kind) this.#take(seq)?.reject(error);
    }
  }

  #take(seq: number): Pending | undefined {
    const entry = this.#pending.get(seq);
    entry?.cancel();
    this.#pending.delete(seq);
    return entry;
  }
}

const NACK_ERRORS = {
  BAD_LENGTH: 'CONTROLLER_BAD_LENGTH',
  UNKNOWN_TYPE: 'CONTROLLER_UNKNOWN_TYPE',
  BAD_SESSION: 'CONTROLLER_BAD_SESSION',
  ESTOP_ACTIVE: 'CONTROLLER_ESTOP_ACTIVE',
  FAULT: 'CONTROLLER_FAULT',
  BUSY: 'CONTROLLER_BUSY',
  RANGE: 'CONTROLLER_RANGE',
  EXPIRED: 'CONTROLLER_EXPIRED',
  UNSUPPORTED: 'CONTROLLER_UNSUPPORTED',
  DISARMED: 'CONTROLLER_DISARMED',
} as const satisfies Record<NackCode, ErrorCode>;

/** The codes of the errors that `nackError` returns. */
export const NACK_ERROR_CODES: readonly ErrorCode[] = Object.values(NACK_ERRORS);

export function nackError(code: NackCode): GatewayError {
  return new GatewayError(NACK_ERRORS[code], serialMessage(`nack.${code}`));
}

export function unacknowledged(kind: RequestKind, { everyMs, tries, graceMs }: ResendPolicy): GatewayError {
  const time = span(everyMs * (tries - 1) + graceMs);
  return new GatewayError('SERIAL_ACK_TIMEOUT', serialMessage(`unacknowledged.${kind}`, { time, tries }));
}

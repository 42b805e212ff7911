import { type ErrorCode, GatewayError } from '../../../shared/errors.js';
import { span } from '../../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import { type ResendPolicy, resend } from '../../../shared/retry.js';
import { cartMessage } from '../../messages.js';
import type { FrameBody, FrameOf, NackCode } from '../codec/codec.js';
import { serialMessage } from '../messages.js';
import type { SerialSettings } from '../settings-schema.js';
import type { FrameWriter } from './frame-writer.js';

interface Pending {
  kind: RequestKind;
  isSuperseded: boolean;
  cancel: Cancel;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export type RequestKind = 'move' | 'stop' | 'estop' | 'limits' | 'reset' | 'sensors' | 'field';

/** Interval between repeated stops, shorter than for other frames, so that a lost frame does not delay a stop. */
const STOP_EVERY_MS = 20;
const STOP_TRIES = 3;

interface RequestsDeps {
  writer: FrameWriter;
  serial: Pick<SerialSettings, 'ackTimeoutMs' | 'retries'>;
  counters: { retried: number };
  /** Called if a stop was not confirmed; must end the heartbeats, so that the controller stops the cart. */
  onStopFailed: (error: unknown) => void;
  clock: Clock;
}

/**
 * Writes frames that the controller must acknowledge, and resends each frame until the reply with the same `seq`
 * arrives. The promises of `send` and `sendStop` reject with SERIAL_ACK_TIMEOUT or `CONTROLLER_<code>`.
 */
export class Requests {
  readonly #deps: RequestsDeps;
  readonly #pending = new Map<number, Pending>();

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /** Writes the frame before returning. If `body` is a function, it is called for every attempt. */
  send(kind: RequestKind, body: FrameBody | (() => FrameBody)): Promise<void> {
    const { ackTimeoutMs, retries } = this.#deps.serial;
    return this.#start(kind, body, { everyMs: ackTimeoutMs, tries: retries + 1, graceMs: ackTimeoutMs });
  }

  /** Like `send`, but supersedes a move that has not been acknowledged. */
  sendStop(kind: 'stop' | 'estop', body: FrameBody): Promise<void> {
    const { serial, onStopFailed } = this.#deps;
    // An unacknowledged move must not be sent again after the stop.
    this.abandon(new GatewayError('STOPPED', serialMessage('stopped-before')), 'move');
    const graceMs = Math.max(STOP_EVERY_MS, serial.ackTimeoutMs);
    const sent = this.#start(kind, body, { everyMs: STOP_EVERY_MS, tries: STOP_TRIES, graceMs });
    sent.catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === 'SERIAL_LOST') return;
      onStopFailed(error);
    });
    return sent;
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

  /** Sends requests of this kind no more, because a later one replaces them; their replies are still accepted. */
  supersede(kind: RequestKind): void {
    for (const pending of this.#pending.values()) if (pending.kind === kind) pending.isSuperseded = true;
  }

  #start(kind: RequestKind, body: FrameBody | (() => FrameBody), policy: ResendPolicy): Promise<void> {
    const { clock, counters, writer } = this.#deps;
    const seq = writer.nextSeq();
    return new Promise((resolve, reject) => {
      const entry: Pending = { kind, isSuperseded: false, cancel: () => undefined, resolve, reject };
      this.#pending.set(seq, entry);
      const write = (nth: number): void => {
        if (entry.isSuperseded) return;
        const retry = nth > 1;
        if (retry) counters.retried += 1;
        writer.write(typeof body === 'function' ? body() : body, { seq, ackReq: true, retry });
      };
      const giveUp = (error?: unknown): void => {
        this.#take(seq);
        const superseded = new GatewayError('SUPERSEDED', cartMessage('superseded'));
        reject(error ?? (entry.isSuperseded ? superseded : unacknowledged(kind, policy)));
      };
      entry.cancel = resend(clock, policy, write, giveUp);
    });
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

import type {
  ControllerState,
  Frame,
  FrameBody,
  FrameHead,
  FrameOf,
} from '../../carts/serial/codec/codec.js';
import { END_CODES } from '../../carts/serial/codec/event-reasons.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import type { Motors } from '../boards/motors.js';
import type { Body } from '../physics/physics.js';
import type { FirmwareState } from './firmware-state.js';
import type { Line } from './line.js';
import type { MotionNews } from './orders.js';

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

/** The state in one word: the gravest reason first. */
export function stateOf({ estop, session, health, motors }: FirmwareState): ControllerState {
  if (estop.latched) return 'ESTOP';
  if (session.lost) return 'LINK_LOST';
  if (health.critical) return 'FAULT';
  return ({ standing: 'IDLE', running: 'RUNNING', stopping: 'STOPPING' } as const)[motors.phase];
}

/** The body of a STATUS frame; every figure is cut to what its field can hold. */
export function statusOf(
  parts: FirmwareState,
  body: Body,
  uptimeMs: number,
): Extract<FrameBody, { type: 'STATUS' }> {
  const { motors, health, estop, session } = parts;
  const { mm, speedMmps, omegaDdegps } = motors.progress;
  return {
    type: 'STATUS',
    uptimeMs: Math.round(uptimeMs) >>> 0,
    state: stateOf(parts),
    faults: health.faults(session.lost),
    estopNonce: estop.nonce,
    wireId: motors.wireId,
    progressMm: Math.round(mm),
    odoLeftMm: Math.round(body.odoLeftMm) | 0,
    odoRightMm: Math.round(body.odoRightMm) | 0,
    speedMmps: within(speedMmps, 0x7fff),
    omegaDdegps: within(omegaDdegps, 0x7fff),
    batteryMv: Math.max(0, Math.min(0xffff, Math.round(health.batteryMv))),
    batteryCa: within(body.amps * 100, 0x7fff),
    tempBoardC: within(health.boardC, 127),
    tempM1C: within(health.motorC[0], 127),
    tempM2C: within(health.motorC[1], 127),
    soc: body.socPercent,
  };
}

/** The EVENT that tells what happened to a motion, and how far it came. */
export function motionEvent({ wireId, event, reason }: MotionNews, { progress }: Motors): EventBody {
  // A motion that never started has come nowhere; the progress is its forerunner's.
  const { mm, ddeg } = event === 'expired' ? { mm: 0, ddeg: 0 } : progress;
  return {
    type: 'EVENT',
    wireId,
    event,
    code: END_CODES[reason],
    finalMm: Math.round(mm),
    finalDdeg: within(ddeg, 0x7fff),
  };
}

function within(value: number, most: number): number {
  // `+ 0` turns -0 into 0.
  return Math.max(-most, Math.min(most, Math.round(value))) + 0;
}

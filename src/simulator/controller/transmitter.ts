import type { ControllerState, Frame, FrameBody, FrameHead, FrameOf } from '../../carts/index.js';
import { END_CODES, FAULTS } from '../../carts/pure.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Motors } from '../boards/motors.js';
import type { Chassis } from '../physics/physics.js';
import type { FirmwareState } from './firmware-state.js';
import type { Line } from './line.js';
import type { MotionEvent } from './motions.js';

const EVENT_TRIES = 3;
const EVENT_RETRY_MS = 60;

export type EventBody = Pick<
  FrameOf<'EVENT'>,
  'type' | 'wireId' | 'event' | 'code' | 'finalMm' | 'finalDdeg'
>;

interface TransmitterDeps {
  clock: Clock;
  line: Line;
  encode: (frame: Frame) => Uint8Array;
  /** The session's ID, or 0 if no session exists. */
  session: () => number;
}

/** Adds sequence numbers and repeats events until they are acknowledged. */
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

  /** Sends an event up to three times with the same `seq`. */
  sendEvent(event: EventBody): void {
    const seq = this.#nextSeq();
    this.acknowledge(seq);
    this.#sendAttempt(event, seq, 1);
  }

  acknowledge(seq: number): void {
    this.#unacknowledged.get(seq)?.();
    this.#unacknowledged.delete(seq);
  }

  clear(): void {
    for (const cancel of this.#unacknowledged.values()) cancel();
    this.#unacknowledged.clear();
  }

  #sendAttempt(event: EventBody, seq: number, count: number): void {
    this.#unacknowledged.delete(seq);
    // The timer starts first, because the reply may arrive before `send` returns.
    if (count < EVENT_TRIES) {
      const retry = (): void => this.#sendAttempt(event, seq, count + 1);
      this.#unacknowledged.set(seq, this.#deps.clock.after(EVENT_RETRY_MS, retry));
    }
    this.send(event, { seq, retry: count > 1, ackReq: true });
  }

  #nextSeq(): number {
    const seq = this.#seq;
    this.#seq = (seq + 1) & 0xff;
    return seq;
  }
}

export function stateOf({ estop, session, health, motors }: FirmwareState): ControllerState {
  if (estop.latched) return 'ESTOP';
  if (session.lost) return 'LINK_LOST';
  if (health.critical) return 'FAULT';
  return ({ idle: 'IDLE', running: 'RUNNING', stopping: 'STOPPING' } as const)[motors.phase];
}

/** Values are clamped to the ranges of their fields. */
export function statusFrame(
  firmware: FirmwareState,
  chassis: Chassis,
  uptimeMs: number,
): Extract<FrameBody, { type: 'STATUS' }> {
  const { motors, health, estop, session } = firmware;
  const { mm, speedMmps, omegaDdegps } = motors.progress;
  return {
    type: 'STATUS',
    uptimeMs: Math.round(uptimeMs) >>> 0,
    state: stateOf(firmware),
    faults: health.faults(session.lost) | (estop.byInput ? FAULTS.estopInput : 0),
    estopNonce: estop.nonce,
    wireId: motors.wireId,
    progressMm: Math.round(mm),
    odoLeftMm: Math.round(chassis.odoLeftMm) | 0,
    odoRightMm: Math.round(chassis.odoRightMm) | 0,
    speedMmps: within(speedMmps, 0x7fff),
    omegaDdegps: within(omegaDdegps, 0x7fff),
    batteryMv: Math.max(0, Math.min(0xffff, Math.round(health.batteryMv))),
    batteryCa: within(chassis.amps * 100, 0x7fff),
    tempBoardC: within(health.boardC, 127),
    tempM1C: within(health.motorC[0], 127),
    tempM2C: within(health.motorC[1], 127),
    soc: chassis.socPercent,
  };
}

/** Returns an EVENT frame with the distance and the angle that the motion reached. */
export function motionEvent({ wireId, event, reason }: MotionEvent, { progress }: Motors): EventBody {
  // An expired motion never started, so `progress` belongs to the previous motion.
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

function within(value: number, max: number): number {
  // `+ 0` converts -0 to 0.
  return Math.max(-max, Math.min(max, Math.round(value))) + 0;
}

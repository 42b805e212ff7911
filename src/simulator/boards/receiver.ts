import type { Frame, FrameOf, NackCode } from '../../carts/serial/codec/codec.js';
import type { ControllerContext } from '../controller/context.js';
import {
  type Boot,
  type BrokenFrame,
  type DialectEvents,
  helloReply,
  type PlainCommand,
} from '../controller/dialects.js';
import type { FirmwareState } from '../controller/firmware-state.js';
import { HARDWARE } from '../controller/orders.js';
import type { Transmitter } from '../controller/transmitter.js';

/** How an existing sketch drives: at its own speed, after the motion before it, bounded by the controller. */
const PLAIN = { wireId: 0, maxSpeedMmps: 300, maxDurationMs: 0 };
const PLAIN_TTL_MS = 5000;

interface ReceiverDeps {
  world: ControllerContext;
  boot: Boot;
  parts: FirmwareState;
  transmitter: Transmitter;
  report: () => void;
  emergencyStop: () => void;
  /** The patience with a silent host has changed. */
  guard: () => void;
}

/** Judges every frame that comes in, answers it, and has it obeyed: in this order. */
export class Receiver implements DialectEvents {
  readonly #deps: ReceiverDeps;

  constructor(deps: ReceiverDeps) {
    this.#deps = deps;
  }

  readonly onFrame = (frame: Frame): void => {
    const { world, parts, transmitter } = this.#deps;
    world.counters.framesReceived += 1;
    if (frame.type === 'MOVE' || frame.type === 'JOG') world.counters.commandsSeen += 1;
    if (frame.type === 'HELLO') return this.#onHello(frame);
    const ours = parts.session.hears(frame.session, world.clock.now());
    if (frame.reply) return ours ? transmitter.settle(frame.seq) : undefined;
    const refusal = validateFrame(frame, ours, parts);
    // The answer goes first: nothing that follows from a frame may overtake it.
    if (refusal || frame.ackReq) this.#answer(frame, refusal);
    if (!refusal) this.#executeFrame(frame);
  };

  readonly onBroken = ({ head, refusal }: BrokenFrame): void => {
    const { session, health } = this.#deps.parts;
    if (!head || !refusal) return health.countBroken();
    const ours = session.open && head.session === session.id;
    const code = ours ? refusal : 'BAD_SESSION';
    const about = { seq: head.seq, session: head.session, reply: true };
    this.#deps.transmitter.send({ type: 'NACK', ofType: 'UNKNOWN', code, wireId: 0 }, about);
  };

  /** An existing sketch just drives: no session, no watchdog, no answer. */
  readonly onPlain = ({ distanceMm, angleDeg }: PlainCommand): void => {
    const { world, parts } = this.#deps;
    world.counters.commandsSeen += 1;
    if (parts.estop.latched || parts.health.critical) return;
    parts.motors.stop(2, { event: 'cancelled', reason: 'superseded' });
    if (distanceMm === 0 && angleDeg === 0) return;
    parts.motors.move({ ...PLAIN, distanceMm, angleDdeg: angleDeg * 10 }, PLAIN_TTL_MS);
  };

  #onHello(frame: FrameOf<'HELLO'>): void {
    const { world, boot, parts, transmitter, report, guard } = this.#deps;
    const fits = frame.protoMin <= boot.proto && boot.proto <= frame.protoMax;
    const fresh = fits && parts.session.begin(frame, world.clock.now());
    if (fresh) {
      transmitter.clear();
      parts.recent.clear();
      parts.motors.disown();
      guard();
    }
    transmitter.send(helloReply(boot, frame), { seq: frame.seq, session: frame.session, reply: true });
    if (fresh) report();
  }

  #answer(frame: Frame, refusal: NackCode | undefined): void {
    const { world, transmitter } = this.#deps;
    if (world.faults.spend('dropAck')) return;
    const about = { ofType: frame.type, wireId: 'wireId' in frame ? frame.wireId : 0 };
    const head = { seq: frame.seq, session: frame.session, reply: true };
    if (refusal) transmitter.send({ type: 'NACK', code: refusal, ...about }, head);
    else transmitter.send({ type: 'ACK', code: 0, ...about }, head);
  }

  #executeFrame(frame: Frame): void {
    const { parts, report, emergencyStop, guard } = this.#deps;
    const { timeoutMs } = parts.session;
    const then = executeFrame(frame, parts);
    if (then === 'emergency') emergencyStop();
    if (then === 'report') report();
    if (parts.session.timeoutMs < timeoutMs) guard();
  }
}

const MAX_DISTANCE_MM = 100_000;
const MAX_ANGLE_DDEG = 3600;

/**
 * Whether a frame is refused, and with which code; undefined = taken. Changes nothing.
 * `ours`: it belongs to the running session. Stops are taken from anybody: a stop too many hurts nobody.
 */
function validateFrame(frame: Frame, ours: boolean, parts: FirmwareState): NackCode | undefined {
  if (frame.type === 'STOP' || frame.type === 'ESTOP') return undefined;
  if (!ours) return 'BAD_SESSION';
  switch (frame.type) {
    case 'HEARTBEAT':
      return undefined;
    case 'MOVE':
      // Taken before, so acknowledged again; whether anything stands against it now does not matter.
      return parts.recent.has(frame.wireId) ? undefined : judgeMove(frame, parts);
    case 'JOG':
      return judgeJog(frame, parts);
    case 'ESTOP_RESET':
      return parts.estop.judgeReset(frame.nonce);
    case 'LIMITS':
      return judgeLimits(frame);
    default:
      return 'UNSUPPORTED';
  }
}

function judgeMove(frame: FrameOf<'MOVE'>, parts: FirmwareState): NackCode | undefined {
  const tooFar = Math.abs(frame.distanceMm) > MAX_DISTANCE_MM || Math.abs(frame.angleDdeg) > MAX_ANGLE_DDEG;
  if (tooFar || frame.maxSpeedMmps === 0 || frame.wireId === 0) return 'RANGE';
  if (frame.ttlMs === 0) return 'EXPIRED';
  return mayNotMove(parts) ?? (parts.motors.busyFor('move') ? 'BUSY' : undefined);
}

function judgeJog(frame: FrameOf<'JOG'>, parts: FirmwareState): NackCode | undefined {
  if (frame.leaseMs === 0 || frame.wireId === 0) return 'RANGE';
  // A jog that was ended stays ended, or a late frame would start it again after a stop.
  if (parts.recent.has(frame.wireId)) return 'EXPIRED';
  return mayNotMove(parts) ?? (parts.motors.busyFor('jog') ? 'BUSY' : undefined);
}

function judgeLimits(frame: FrameOf<'LIMITS'>): NackCode | undefined {
  const { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps } = frame;
  return Math.min(maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps) > 0 ? undefined : 'RANGE';
}

function mayNotMove({ estop, health, session }: FirmwareState): NackCode | undefined {
  if (estop.latched) return 'ESTOP_ACTIVE';
  if (health.critical) return 'FAULT';
  return session.armed ? undefined : 'DISARMED';
}

/**
 * Does what a frame says that was not refused. Answers `emergency` and `report` when the firmware has to act on it:
 * stop everything at once, or tell its new state at once.
 */
function executeFrame(frame: Frame, parts: FirmwareState): 'emergency' | 'report' | undefined {
  switch (frame.type) {
    case 'HEARTBEAT':
      return heartbeat(frame, parts);
    case 'MOVE':
      return move(frame, parts);
    case 'JOG':
      parts.motors.jog(frame);
      return undefined;
    case 'STOP':
      if (frame.wireId !== 0 && !parts.motors.has(frame.wireId)) return undefined;
      parts.motors.stop(frame.category, { event: 'cancelled', reason: 'stop' });
      return 'report';
    case 'ESTOP':
      return frame.retry && parts.estop.latched ? undefined : 'emergency';
    case 'ESTOP_RESET':
      parts.estop.latched = false;
      return 'report';
    case 'LIMITS':
      limits(frame, parts);
      return undefined;
    default:
      return undefined;
  }
}

function heartbeat(
  { armed, timeoutMs }: FrameOf<'HEARTBEAT'>,
  { session, motors }: FirmwareState,
): undefined {
  if (timeoutMs > 0) session.timeoutMs = timeoutMs;
  if (session.armed && !armed) motors.stop(1, { event: 'cancelled', reason: 'disarmed' });
  session.armed = armed;
}

function move(frame: FrameOf<'MOVE'>, { recent, motors }: FirmwareState): undefined {
  if (recent.has(frame.wireId)) return;
  recent.add(frame.wireId);
  motors.move({ ...frame, maxDurationMs: frame.maxDurationDs * 100 }, frame.ttlMs);
}

function limits(frame: FrameOf<'LIMITS'>, { motors }: FirmwareState): void {
  const { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps } = frame;
  const capped = Math.min(maxSpeedMmps, HARDWARE.maxSpeedMmps);
  motors.limits = { maxSpeedMmps: capped, accelMmps2, decelMmps2, omegaMaxDdegps };
}

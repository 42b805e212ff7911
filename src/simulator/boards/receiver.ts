import type { Frame, FrameOf, NackCode } from '../../carts/index.js';
import type { ControllerContext } from '../controller/context.js';
import {
  type BrokenFrame,
  type ControllerBoot,
  type DialectEvents,
  helloReply,
  type PlainCommand,
} from '../controller/dialects.js';
import type { FirmwareState } from '../controller/firmware-state.js';
import { HARDWARE } from '../controller/motions.js';
import type { Transmitter } from '../controller/transmitter.js';

/** Motion parameters for a plain-line command, which has only a distance and an angle. */
const PLAIN = { wireId: 0, maxSpeedMmps: 300, maxDurationMs: 0 };
const PLAIN_TTL_MS = 5000;

interface ReceiverDeps {
  context: ControllerContext;
  boot: ControllerBoot;
  firmware: FirmwareState;
  transmitter: Transmitter;
  report: () => void;
  emergencyStop: () => void;
  armWatchdog: () => void;
}

/** Validates a received frame, replies to it and executes it, in this order. */
export class Receiver implements DialectEvents {
  readonly #deps: ReceiverDeps;

  constructor(deps: ReceiverDeps) {
    this.#deps = deps;
  }

  readonly onFrame = (frame: Frame): void => {
    const { context, firmware, transmitter } = this.#deps;
    context.counters.framesReceived += 1;
    if (frame.type === 'MOVE' || frame.type === 'JOG') context.counters.commandsSeen += 1;
    if (frame.type === 'HELLO') return this.#onHello(frame);
    const inSession = firmware.session.accepts(frame.session, context.clock.now());
    if (frame.reply) return inSession ? transmitter.acknowledge(frame.seq) : undefined;
    const nack = validateFrame(frame, inSession, firmware);
    // The reply must precede any event that the frame causes.
    if (nack || frame.ackReq) this.#answer(frame, nack);
    if (!nack) this.#executeFrame(frame);
  };

  readonly onBroken = ({ head, nack }: BrokenFrame): void => {
    const { session, health } = this.#deps.firmware;
    if (!head || !nack) return health.countBroken();
    const inSession = session.open && head.session === session.id;
    const code = inSession ? nack : 'BAD_SESSION';
    const about = { seq: head.seq, session: head.session, reply: true };
    this.#deps.transmitter.send({ type: 'NACK', ofType: 'UNKNOWN', code, wireId: 0 }, about);
  };

  /** As in existing Arduino sketches, a plain-line command needs no session and gets no reply. */
  readonly onPlain = ({ distanceMm, angleDeg }: PlainCommand): void => {
    const { context, firmware } = this.#deps;
    context.counters.commandsSeen += 1;
    if (firmware.estop.latched || firmware.health.critical) return;
    firmware.motors.stop(2, { event: 'cancelled', reason: 'superseded' });
    if (distanceMm === 0 && angleDeg === 0) return;
    firmware.motors.move({ ...PLAIN, distanceMm, angleDdeg: angleDeg * 10 }, PLAIN_TTL_MS);
  };

  #onHello(frame: FrameOf<'HELLO'>): void {
    const { context, boot, firmware, transmitter, report, armWatchdog } = this.#deps;
    const isSupported = frame.protoMin <= boot.proto && boot.proto <= frame.protoMax;
    const isNew = isSupported && firmware.session.begin(frame, context.clock.now());
    if (isNew) {
      transmitter.clear();
      firmware.recent.clear();
      firmware.motors.stopSilently();
      firmware.motors.limits = HARDWARE;
      firmware.field?.restart();
      armWatchdog();
    }
    const reply = helloReply(boot, frame, firmware.field !== undefined);
    transmitter.send(reply, { seq: frame.seq, session: frame.session, reply: true });
    if (isNew) report();
  }

  #answer(frame: Frame, nack: NackCode | undefined): void {
    const { context, firmware, transmitter } = this.#deps;
    if (context.faults.consume('dropAck')) return;
    const about = { ofType: frame.type, wireId: 'wireId' in frame ? frame.wireId : 0 };
    const head = { seq: frame.seq, session: frame.session, reply: true };
    if (nack) transmitter.send({ type: 'NACK', code: nack, ...about }, head);
    else if (frame.type === 'SENSORS' && firmware.field) transmitter.send(firmware.field.sensors(), head);
    else transmitter.send({ type: 'ACK', code: 0, ...about }, head);
  }

  #executeFrame(frame: Frame): void {
    const { firmware, report, emergencyStop, armWatchdog } = this.#deps;
    const { timeoutMs } = firmware.session;
    const followUp = executeFrame(frame, firmware);
    if (followUp === 'emergency') emergencyStop();
    if (followUp === 'report') report();
    if (firmware.session.timeoutMs < timeoutMs) armWatchdog();
  }
}

const MAX_DISTANCE_MM = 100_000;
const MAX_ANGLE_DDEG = 3600;

/** Returns the NACK code, if any. Stops are accepted from any session, because a stop is always safe. */
function validateFrame(frame: Frame, inSession: boolean, firmware: FirmwareState): NackCode | undefined {
  if (frame.type === 'STOP' || frame.type === 'ESTOP') return undefined;
  if (!inSession) return 'BAD_SESSION';
  switch (frame.type) {
    case 'HEARTBEAT':
      return undefined;
    case 'MOVE':
      // A repeated frame is acknowledged again, even if it would be rejected now.
      return firmware.recent.has(frame.wireId) ? undefined : validateMove(frame, firmware);
    case 'JOG':
      return validateJog(frame, firmware);
    case 'ESTOP_RESET':
      return firmware.estop.validateReset(frame.nonce);
    case 'LIMITS':
      return validateLimits(frame);
    case 'FIELD':
      return firmware.field ? firmware.field.validate(frame) : 'UNSUPPORTED';
    case 'SENSORS':
      return firmware.field ? undefined : 'UNSUPPORTED';
    default:
      return 'UNSUPPORTED';
  }
}

function validateMove(frame: FrameOf<'MOVE'>, firmware: FirmwareState): NackCode | undefined {
  const tooFar = Math.abs(frame.distanceMm) > MAX_DISTANCE_MM || Math.abs(frame.angleDdeg) > MAX_ANGLE_DDEG;
  if (tooFar || frame.maxSpeedMmps === 0 || frame.wireId === 0) return 'RANGE';
  if (frame.ttlMs === 0) return 'EXPIRED';
  const nack = motionNack(firmware) ?? (firmware.motors.busyFor('move') ? 'BUSY' : undefined);
  const { distanceMm, angleDdeg } = frame;
  // A move with an angle begins with a turn in place, so only the turn is checked.
  return nack ?? (firmware.field?.blocks(angleDdeg === 0 ? distanceMm : 0, angleDdeg) ? 'FAULT' : undefined);
}

function validateJog(frame: FrameOf<'JOG'>, firmware: FirmwareState): NackCode | undefined {
  if (frame.leaseMs === 0 || frame.wireId === 0) return 'RANGE';
  if (firmware.recent.has(frame.wireId)) return 'EXPIRED';
  const nack = motionNack(firmware) ?? (firmware.motors.busyFor('jog') ? 'BUSY' : undefined);
  return nack ?? (firmware.field?.blocks(frame.speedMmps, frame.omegaDdegps) ? 'FAULT' : undefined);
}

function validateLimits(frame: FrameOf<'LIMITS'>): NackCode | undefined {
  const { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps } = frame;
  return Math.min(maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps) > 0 ? undefined : 'RANGE';
}

function motionNack({ estop, health, session }: FirmwareState): NackCode | undefined {
  if (estop.latched) return 'ESTOP_ACTIVE';
  if (health.critical) return 'FAULT';
  return session.armed ? undefined : 'DISARMED';
}

/** Returns `emergency` for an emergency stop, or `report` if a status must be sent immediately. */
function executeFrame(frame: Frame, firmware: FirmwareState): 'emergency' | 'report' | undefined {
  switch (frame.type) {
    case 'HEARTBEAT':
      return heartbeat(frame, firmware);
    case 'MOVE':
      return move(frame, firmware);
    case 'JOG':
      firmware.motors.jog(frame);
      return undefined;
    case 'STOP':
      if (frame.wireId !== 0 && !firmware.motors.has(frame.wireId)) return undefined;
      firmware.motors.stop(frame.category, { event: 'cancelled', reason: 'stop' });
      return 'report';
    case 'ESTOP':
      return frame.retry && firmware.estop.latched ? undefined : 'emergency';
    case 'ESTOP_RESET':
      firmware.estop.release();
      return 'report';
    case 'LIMITS':
      limits(frame, firmware);
      return undefined;
    case 'FIELD':
      firmware.field?.apply(frame);
      return 'report';
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
  motors.limits = {
    maxSpeedMmps: Math.min(maxSpeedMmps, HARDWARE.maxSpeedMmps),
    accelMmps2: Math.min(accelMmps2, HARDWARE.accelMmps2),
    decelMmps2: Math.min(decelMmps2, HARDWARE.decelMmps2),
    omegaMaxDdegps: Math.min(omegaMaxDdegps, HARDWARE.omegaMaxDdegps),
  };
}

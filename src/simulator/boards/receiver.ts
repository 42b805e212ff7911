import type { Frame, FrameOf, NackCode } from '../../carts/serial/codec/codec.js';
import type { ControllerContext } from '../controller/context.js';
import type { BrokenFrame, DialectEvents, PlainCommand } from '../controller/dialects.js';
import { obey } from '../controller/execute-frame.js';
import type { FirmwareState } from '../controller/firmware-state.js';
import { type Boot, helloReply } from '../controller/hello.js';
import type { Transmitter } from '../controller/transmitter.js';
import { judge } from '../controller/validate-frame.js';

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
    const refusal = judge(frame, ours, parts);
    // The answer goes first: nothing that follows from a frame may overtake it.
    if (refusal || frame.ackReq) this.#answer(frame, refusal);
    if (!refusal) this.#obey(frame);
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

  #obey(frame: Frame): void {
    const { parts, report, emergencyStop, guard } = this.#deps;
    const { timeoutMs } = parts.session;
    const then = obey(frame, parts);
    if (then === 'emergency') emergencyStop();
    if (then === 'report') report();
    if (parts.session.timeoutMs < timeoutMs) guard();
  }
}

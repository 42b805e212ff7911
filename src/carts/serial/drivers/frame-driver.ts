import { randomInt } from 'node:crypto';
import { GatewayError, messageOf } from '../../../shared/errors.js';
import type { Cancel } from '../../../shared/ports/ports.js';
import type { ResendPolicy } from '../../../shared/retry.js';
import { Signal } from '../../../shared/signal.js';
import type { Telemetry } from '../../command/model.js';
import { CAPS, type Frame, type FrameBody, type FrameOf, faultNames } from '../codec/codec.js';
import type {
  DriverDeps,
  DriverTraits,
  Hello,
  MotionReport,
  MotorDriver,
  MoveRequest,
  SessionFault,
} from '../driver.js';
import type { Dialect } from './dialects.js';
import { LINE_NOISE, NoiseMeter } from './noise-meter.js';
import { Requests } from './requests.js';

const PROTO = 1;
/** What a request for a motion is called. */
const MOVE = 'move';
const ESTOP = 'emergency stop';
const LIMITS = 'limits';
/** An Arduino resets when its port is opened and is deaf for one to two seconds. */
const HELLO_EVERY_MS = 250;
const HELLO_PATIENCE_MS = 5000;
/** Full turn speed of the reference firmware: 90 degrees a second. */
const OMEGA_MAX_DDEGPS = 900;
/** Repeated fast, because a stop may not wait for an acknowledgement that got lost. */
const STOP_EVERY_MS = 20;
const STOP_TRIES = 3;

/** The driver for controllers that speak the frames of docs/protocol.md, in either dialect. */
export class FrameDriver implements MotorDriver {
  /** `feedback` is known only after the handshake: until then nothing is estimated. */
  traits: DriverTraits;
  readonly counters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  #deps: DriverDeps;
  #requests: Requests;
  #dialect: Dialect;
  #session: number;
  #seq = 0;
  #greeted = false;
  #onHello: ((frame: FrameOf<'HELLO_R'>) => void) | undefined;
  #cancelHello: Cancel = () => undefined;
  #estopNonce = 0;
  /** Whether the controller's own emergency stop is latched, as far as it is believed. */
  #latched = false;
  /** Since then the controller has shown that it runs the session of ours. */
  #sessionShown = false;
  #noise: NoiseMeter;
  #unlisten: () => void;
  #telemetry = new Signal<[Telemetry]>();
  #motion = new Signal<[MotionReport]>();
  #fault = new Signal<[SessionFault]>();

  constructor(deps: DriverDeps, dialect: Dialect) {
    this.#deps = deps;
    this.#dialect = dialect;
    this.#session = dialect.hasSessions ? randomInt(1, 256) : 0;
    this.#requests = new Requests(deps.clock);
    this.#noise = new NoiseMeter(deps.clock);
    this.traits = {
      ...{ ack: 'frame', feedback: true, watchdogMs: deps.serial.timeoutMs, resetButton: true, warning: '' },
    };
    const decode = dialect.decoder(
      (frame) => this.#onFrame(frame),
      () => this.#onBroken(),
    );
    this.#unlisten = deps.link.onBytes(decode);
  }

  readonly onTelemetry = this.#telemetry.on.bind(this.#telemetry);
  readonly onMotion = this.#motion.on.bind(this.#motion);
  readonly onSessionFault = this.#fault.on.bind(this.#fault);

  async open(): Promise<Hello> {
    const reply = await this.#greet();
    if (reply.proto !== PROTO) {
      const text = `the controller speaks version ${reply.proto}, this gateway ${PROTO}`;
      throw new GatewayError('INCOMPATIBLE', text, { hint: 'Update the firmware of the controller.' });
    }
    this.#greeted = true;
    this.traits = { ...this.traits, feedback: (reply.caps & CAPS.closedLoopDistance) !== 0 };
    await this.#tellLimits();
    const { major, minor, patch } = reply.firmware;
    return {
      firmware: `${major}.${minor}.${patch}`,
      simulated: (reply.caps & CAPS.simulated) !== 0,
      bootCount: reply.bootCount,
    };
  }

  move(request: MoveRequest): Promise<void> {
    const { wireId, distanceMm, angleDdeg, maxSpeedMmps, remainingTtlMs } = request;
    const maxDurationDs = Math.min(0xffff, Math.ceil(request.maxDurationMs / 100));
    return this.#request(MOVE, () => {
      const ttlMs = Math.floor(remainingTtlMs());
      // An earlier try may have got through with its answer lost: the outcome is as unknown as with no answer at all.
      if (ttlMs <= 0)
        throw new GatewayError('SERIAL_ACK_TIMEOUT', 'the command expired before it was acknowledged');
      return { type: 'MOVE', wireId, distanceMm, angleDdeg, maxSpeedMmps, ttlMs, maxDurationDs };
    });
  }

  jog(wireId: number, speedMmps: number, omegaDdegps: number, leaseMs: number): void {
    this.#write({ type: 'JOG', wireId, speedMmps, omegaDdegps, leaseMs }, this.#nextSeq(), false);
  }

  stop(category: 0 | 1 | 2): Promise<void> {
    return this.#urgent('stop', { type: 'STOP', category, wireId: 0 });
  }

  estop(source: number): Promise<void> {
    return this.#urgent(ESTOP, { type: 'ESTOP', source });
  }

  resetEstop(): Promise<void> {
    return this.#request('reset', { type: 'ESTOP_RESET', nonce: this.#estopNonce });
  }

  heartbeat(armed: boolean): void {
    this.#write({ type: 'HEARTBEAT', armed, timeoutMs: this.#deps.serial.timeoutMs }, this.#nextSeq(), false);
  }

  close(): void {
    this.#cancelHello();
    this.#unlisten();
    this.#requests.abandon(new GatewayError('SERIAL_LOST', 'the serial connection was lost'));
  }

  /** Says HELLO until the controller answers this very greeting, told by its nonce. */
  #greet(): Promise<FrameOf<'HELLO_R'>> {
    const { clock, link, serial } = this.#deps;
    const hostNonce = randomInt(2 ** 32);
    const deadline = clock.now() + HELLO_PATIENCE_MS;
    link.write(this.#dialect.opening);
    return new Promise((resolve, reject) => {
      const giveUp = (error: unknown): void => {
        cancel();
        reject(error);
      };
      const hello = (): void => {
        if (clock.now() >= deadline) {
          const text = `no controller answered on ${serial.driver} within ${HELLO_PATIENCE_MS / 1000} s`;
          return giveUp(new GatewayError('HELLO_TIMEOUT', text, { hint: 'Check wiring, speed and driver.' }));
        }
        try {
          const greeting = {
            protoMin: PROTO,
            protoMax: PROTO,
            heartbeatTimeoutMs: serial.timeoutMs,
            hostNonce,
          };
          this.#write({ type: 'HELLO', ...greeting }, this.#nextSeq(), true);
        } catch (error) {
          giveUp(error);
        }
      };
      const cancel = clock.every(HELLO_EVERY_MS, hello);
      this.#cancelHello = () => giveUp(new GatewayError('SERIAL_LOST', 'the serial connection was lost'));
      this.#onHello = (frame) => {
        if (frame.hostNonce !== hostNonce) return;
        this.#onHello = undefined;
        this.#cancelHello = () => undefined;
        cancel();
        resolve(frame);
      };
      hello();
    });
  }

  #tellLimits(): Promise<void> {
    const { maxSpeedMmps, accelMmps2, decelMmps2 } = this.#deps.limits;
    const limits = { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps: OMEGA_MAX_DDEGPS };
    return this.#request(LIMITS, { type: 'LIMITS', ...limits });
  }

  #request(what: string, body: FrameBody | (() => FrameBody)): Promise<void> {
    const { ackTimeoutMs, retries } = this.#deps.serial;
    return this.#send(what, body, { everyMs: ackTimeoutMs, tries: retries + 1, graceMs: ackTimeoutMs });
  }

  #urgent(what: string, body: FrameBody): Promise<void> {
    // A move whose first try got lost must not be tried again behind the stop.
    this.#requests.abandon(
      new GatewayError('STOPPED', 'the cart was stopped before it had the command'),
      MOVE,
    );
    const graceMs = Math.max(STOP_EVERY_MS, this.#deps.serial.ackTimeoutMs);
    const sent = this.#send(what, body, { everyMs: STOP_EVERY_MS, tries: STOP_TRIES, graceMs });
    // Nobody confirms the stop: end the session, so that the heartbeats end and the controller stops by itself.
    sent.catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === 'SERIAL_LOST') return;
      this.#fault.emit({ code: 'STOP_UNCONFIRMED', text: messageOf(error) });
    });
    return sent;
  }

  #send(what: string, body: FrameBody | (() => FrameBody), policy: ResendPolicy): Promise<void> {
    const seq = this.#nextSeq();
    return this.#requests.start(seq, what, policy, (retry) => {
      if (retry) this.counters.retried += 1;
      this.#write(typeof body === 'function' ? body() : body, seq, true, retry);
    });
  }

  #write(body: FrameBody, seq: number, ackReq: boolean, retry = false): void {
    const frame: Frame = { seq, session: this.#session, ackReq, reply: false, retry, ...body };
    this.#deps.link.write(this.#dialect.encode(frame));
    this.counters.sent += 1;
  }

  #nextSeq(): number {
    const seq = this.#seq;
    this.#seq = (seq + 1) & 0xff;
    return seq;
  }

  #onFrame(frame: Frame): void {
    if (frame.session !== this.#session) return this.#onForeign(frame);
    this.counters.received += 1;
    switch (frame.type) {
      case 'HELLO_R':
        this.#onHello?.(frame);
        return;
      case 'ACK':
      case 'NACK':
        if (!this.#requests.settle(frame)) this.counters.dropped += 1;
        if (frame.type === 'NACK' && frame.code === 'BAD_SESSION' && this.#greeted) this.#onRestart();
        return;
      case 'STATUS':
        return this.#onStatus(frame);
      case 'EVENT':
        this.#onEvent(frame);
        return;
      default:
        this.counters.dropped += 1;
    }
  }

  #onStatus(frame: FrameOf<'STATUS'>): void {
    this.#estopNonce = frame.estopNonce;
    if (frame.state === 'BOOT' && this.#greeted) return this.#onRestart();
    if (frame.state === 'LINK_LOST' && this.#greeted) return this.#onDeadman();
    const latched = frame.state === 'ESTOP';
    if (this.#latched && !latched && !this.#believesReset()) return;
    if (latched) this.#sessionShown = false;
    this.#latched = latched;
    this.#telemetry.emit(toTelemetry(frame));
  }

  /** Whether a status without the latch that the one before it had tells that the latch was ended on purpose. */
  #believesReset(): boolean {
    // It left the controller before the stop that is on its way there.
    if (this.#requests.has(ESTOP)) return false;
    if (this.#dialect.hasSessions || this.#sessionShown) return true;
    // It may come from a controller that has restarted, and knows of no stop. Such a one refuses what needs a session.
    if (!this.#requests.has(LIMITS)) void this.#showSession();
    return false;
  }

  async #showSession(): Promise<void> {
    try {
      await this.#tellLimits();
      this.#sessionShown = true;
    } catch (error) {
      // A refusal has ended the session already, and so has a line that is lost.
      if (error instanceof GatewayError && error.code === 'SERIAL_ACK_TIMEOUT')
        this.#fault.emit({ code: 'SERIAL_LOST', text: error.message });
    }
  }

  #onEvent(frame: FrameOf<'EVENT'>): void {
    if (frame.ackReq) {
      const answer = { type: 'ACK', ofType: 'EVENT', code: 0, wireId: frame.wireId } as const;
      const head = { seq: frame.seq, session: this.#session, ackReq: false, reply: true, retry: false };
      this.#deps.link.write(this.#dialect.encode({ ...head, ...answer }));
    }
    const { wireId, event, code, finalMm, finalDdeg } = frame;
    this.#motion.emit({ wireId, event, code, finalMm, finalDdeg });
  }

  /** Leftovers of an older session end when ours begins; session 0 means that the controller has none any more. */
  #onForeign(frame: Frame): void {
    this.counters.dropped += 1;
    if (!this.#greeted || frame.type !== 'STATUS') return;
    if (frame.state === 'LINK_LOST') this.#onDeadman();
    else this.#onRestart();
  }

  #onDeadman(): void {
    this.#fault.emit({
      code: 'SERIAL_LOST',
      text: 'the controller stopped because it heard nothing from us',
    });
  }

  #onRestart(): void {
    this.#fault.emit({ code: 'CONTROLLER_RESET', text: 'the controller restarted by itself' });
  }

  #onBroken(): void {
    this.counters.dropped += 1;
    if (this.#noise.isTooMuch() && this.#greeted) this.#fault.emit(LINE_NOISE);
  }
}

function toTelemetry(frame: FrameOf<'STATUS'>): Telemetry {
  const { state, progressMm, odoLeftMm, odoRightMm, speedMmps, omegaDdegps, batteryMv, batteryCa } = frame;
  const { soc, tempBoardC, tempM1C, tempM2C } = frame;
  const moved = { progressMm, odoLeftMm, odoRightMm, speedMmps, omegaDdegps };
  return {
    state,
    faults: faultNames(frame.faults),
    ...moved,
    batteryMv,
    batteryCa,
    soc,
    tempBoardC,
    tempM1C,
    tempM2C,
  };
}

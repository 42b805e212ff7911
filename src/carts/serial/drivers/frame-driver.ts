import { randomInt } from 'node:crypto';
import { errorText, GatewayError } from '../../../shared/errors.js';
import type { ResendPolicy } from '../../../shared/retry.js';
import { Signal } from '../../../shared/signal.js';
import type { Telemetry } from '../../command/model.js';
import { CAPS, type Frame, type FrameBody, type FrameOf } from '../codec/codec.js';
import {
  type DriverDeps,
  type DriverTraits,
  type Hello,
  MAX_TURN_DEGPS,
  type MotionReport,
  type MotorDriver,
  type MoveRequest,
  type SessionFault,
} from '../driver.js';
import { serialMessage } from '../messages.js';
import { ControllerLatch } from './controller-latch.js';
import type { Dialect } from './dialects.js';
import { Handshake } from './handshake.js';
import { LINE_NOISE, NoiseMeter } from './noise-meter.js';
import { type RequestKind, Requests } from './requests.js';
import { telemetryOf } from './telemetry.js';

const MOVE = 'move';
const ESTOP = 'estop';
const LIMITS = 'limits';
/** Stops are resent faster than other frames, so that a lost frame does not delay a stop. */
const STOP_EVERY_MS = 20;
const STOP_TRIES = 3;
/** After this time without a frame, the line may contain part of a frame or noise. */
const PAUSE_MS = 1000;

export class FrameDriver implements MotorDriver {
  /** `feedback` is determined by the handshake; before the handshake, no value is estimated. */
  traits: DriverTraits;
  readonly counters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  #deps: DriverDeps;
  #requests: Requests;
  #dialect: Dialect;
  #session: number;
  #seq = 0;
  #writtenMs = Number.NEGATIVE_INFINITY;
  #hasSession = false;
  #handshake: Handshake;
  #estopNonce = 0;
  #latch: ControllerLatch;
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
    this.#latch = new ControllerLatch({
      hasSessions: dialect.hasSessions,
      isStopping: () => this.#requests.has(ESTOP),
      isProbing: () => this.#requests.has(LIMITS),
      probe: () => this.#sendLimits(),
      lost: (text) => this.#fault.emit({ code: 'SERIAL_LOST', text }),
    });
    this.#handshake = new Handshake({
      ...{ clock: deps.clock, serial: deps.serial, timing: dialect.hello },
      send: (hello) => this.#write(hello, this.#nextSeq(), true),
    });
    const { timeoutMs } = deps.serial;
    this.traits = { ack: 'frame', feedback: true, watchdogMs: timeoutMs, resetButton: true, warning: '' };
    const onFrame = (frame: Frame): void => {
      this.#onFrame(frame);
      this.#handshake.onFrame();
    };
    this.#unlisten = deps.link.onBytes(dialect.decoder(onFrame, () => this.#onBroken()));
  }

  readonly onTelemetry = this.#telemetry.on.bind(this.#telemetry);
  readonly onMotion = this.#motion.on.bind(this.#motion);
  readonly onSessionFault = this.#fault.on.bind(this.#fault);

  async open(): Promise<Hello> {
    const reply = await this.#handshake.start();
    this.#hasSession = true;
    this.traits = { ...this.traits, feedback: (reply.caps & CAPS.closedLoopDistance) !== 0 };
    await this.#sendLimits();
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
      // The controller may have received the move, with only its acknowledgement lost.
      if (ttlMs <= 0) throw new GatewayError('SERIAL_ACK_TIMEOUT', serialMessage('expired-unacknowledged'));
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
    this.#handshake.cancel();
    this.#unlisten();
    this.#requests.abandon(new GatewayError('SERIAL_LOST', serialMessage('lost')));
  }

  #sendLimits(): Promise<void> {
    const { maxSpeedMmps, accelMmps2, decelMmps2 } = this.#deps.limits;
    const limits = { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps: MAX_TURN_DEGPS * 10 };
    return this.#request(LIMITS, { type: 'LIMITS', ...limits });
  }

  #request(kind: RequestKind, body: FrameBody | (() => FrameBody)): Promise<void> {
    const { ackTimeoutMs, retries } = this.#deps.serial;
    return this.#send(kind, body, { everyMs: ackTimeoutMs, tries: retries + 1, graceMs: ackTimeoutMs });
  }

  #urgent(kind: RequestKind, body: FrameBody): Promise<void> {
    // An unacknowledged move must not be sent again after the stop.
    this.#requests.abandon(new GatewayError('STOPPED', serialMessage('stopped-before')), MOVE);
    const graceMs = Math.max(STOP_EVERY_MS, this.#deps.serial.ackTimeoutMs);
    const sent = this.#send(kind, body, { everyMs: STOP_EVERY_MS, tries: STOP_TRIES, graceMs });
    // An unconfirmed stop ends the session: once the heartbeats stop, the controller stops the cart.
    sent.catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === 'SERIAL_LOST') return;
      this.#fault.emit({ code: 'STOP_UNCONFIRMED', text: errorText(error) });
    });
    return sent;
  }

  #send(kind: RequestKind, body: FrameBody | (() => FrameBody), policy: ResendPolicy): Promise<void> {
    const seq = this.#nextSeq();
    return this.#requests.start(seq, kind, policy, (retry) => {
      if (retry) this.counters.retried += 1;
      this.#write(typeof body === 'function' ? body() : body, seq, true, retry);
    });
  }

  #write(body: FrameBody, seq: number, ackReq: boolean, retry = false): void {
    const { clock, link } = this.#deps;
    const frame: Frame = { seq, session: this.#session, ackReq, reply: false, retry, ...body };
    if (clock.now() - this.#writtenMs >= PAUSE_MS) link.write(this.#dialect.opening);
    link.write(this.#dialect.encode(frame));
    this.#writtenMs = clock.now();
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
        return this.#handshake.onReply(frame);
      case 'ACK':
      case 'NACK':
        if (!this.#requests.settle(frame)) this.counters.dropped += 1;
        if (frame.type === 'NACK' && frame.code === 'BAD_SESSION' && this.#hasSession) this.#onRestart();
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
    if (frame.state === 'BOOT' && this.#hasSession) return this.#onRestart();
    if (frame.state === 'LINK_LOST' && this.#hasSession) return this.#onDeadman();
    if (!this.#latch.accepts(frame.state === 'ESTOP')) return;
    this.#telemetry.emit(telemetryOf(frame));
  }

  #onEvent(frame: FrameOf<'EVENT'>): void {
    if (frame.ackReq) this.#acknowledge(frame);
    const { wireId, event, code, finalMm, finalDdeg } = frame;
    this.#motion.emit({ wireId, event, code, finalMm, finalDdeg });
  }

  /** Called from a callback of the serial line, where an uncaught write error would end the process. */
  #acknowledge({ seq, wireId }: FrameOf<'EVENT'>): void {
    const head = { seq, session: this.#session, ackReq: false, reply: true, retry: false };
    try {
      this.#deps.link.write(this.#dialect.encode({ ...head, type: 'ACK', ofType: 'EVENT', code: 0, wireId }));
    } catch (error) {
      this.#fault.emit({ code: 'SERIAL_LOST', text: errorText(error) });
    }
  }

  /**
   * Handles a frame from another session or with no session (0). If this driver's session has started, the
   * controller has restarted; otherwise, the frame is from an earlier session.
   */
  #onForeign(frame: Frame): void {
    this.counters.dropped += 1;
    if (!this.#hasSession || frame.type !== 'STATUS') return;
    if (frame.state === 'LINK_LOST') this.#onDeadman();
    else this.#onRestart();
  }

  #onDeadman(): void {
    this.#fault.emit({ code: 'SERIAL_LOST', text: serialMessage('deadman') });
  }

  #onRestart(): void {
    this.#fault.emit({ code: 'CONTROLLER_RESET', text: serialMessage('controller-restarted') });
  }

  #onBroken(): void {
    this.counters.dropped += 1;
    if (this.#noise.isTooMuch() && this.#hasSession) this.#fault.emit(LINE_NOISE);
  }
}

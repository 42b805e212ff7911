import { randomInt } from 'node:crypto';
import { errorText, GatewayError } from '../../../shared/errors.js';
import { Signal } from '../../../shared/signal.js';
import type { Telemetry } from '../../command/model.js';
import type { FieldPort } from '../../protective-field/model.js';
import { REACTION_MS } from '../../protective-field/protective-field.js';
import { CAPS, FAULTS, type Frame, type FrameOf, faultNames } from '../codec/codec.js';
import {
  type DriverDeps,
  type DriverTraits,
  type Hello,
  MAX_TURN_DEGPS,
  type MotionReport,
  type MotorDriver,
  type MoveRequest,
  type SessionFault,
  type SpeedShares,
} from '../driver.js';
import { serialMessage } from '../messages.js';
import { ControllerLatch } from './controller-latch.js';
import type { Dialect } from './dialects.js';
import { FieldChannel } from './field-channel.js';
import { FrameWriter } from './frame-writer.js';
import { Handshake } from './handshake.js';
import { LINE_NOISE, NoiseMeter } from './noise-meter.js';
import { nackError, Requests } from './requests.js';

function telemetryOf(frame: FrameOf<'STATUS'>): Telemetry {
  const { state, progressMm, odoLeftMm, odoRightMm, speedMmps, omegaDdegps } = frame;
  const { batteryMv, batteryCa, soc, tempBoardC, tempM1C, tempM2C } = frame;
  // The fault for an open E-stop input is omitted, because the E-stop latch already shows it.
  const faults = faultNames(frame.faults & ~FAULTS.estopInput);
  return {
    state,
    faults,
    progressMm,
    odoLeftMm,
    odoRightMm,
    speedMmps,
    omegaDdegps,
    batteryMv,
    batteryCa,
    soc,
    tempBoardC,
    tempM1C,
    tempM2C,
  };
}

/** A new nonce that arrives within this time after a stop frame is attributed to that frame. */
const OWN_NONCE_MS = 1000;

export class FrameDriver implements MotorDriver {
  /** `feedback` is true until the handshake determines its value, so that no distance is estimated. */
  traits: DriverTraits;
  readonly counters = { sent: 0, received: 0, dropped: 0, retried: 0 };
  #deps: DriverDeps;
  #requests: Requests;
  #dialect: Dialect;
  #session: number;
  #writer: FrameWriter;
  #field: FieldChannel;
  #hasField = false;
  #shares: SpeedShares = { speed: 1, turn: 1 };
  #hasSession = false;
  #handshake: Handshake;
  #estopNonce = 0;
  #wasLatched = false;
  #estopSentMs = Number.NEGATIVE_INFINITY;
  #latch: ControllerLatch;
  #noise: NoiseMeter;
  #unlisten: () => void;
  #telemetry = new Signal<[Telemetry]>();
  #motion = new Signal<[MotionReport]>();
  #jogRejected = new Signal<[wireId: number, error: GatewayError]>();
  #fault = new Signal<[SessionFault]>();
  #estopInput = new Signal();

  constructor(deps: DriverDeps, dialect: Dialect) {
    this.#deps = deps;
    this.#dialect = dialect;
    this.#session = dialect.hasSessions ? randomInt(1, 256) : 0;
    const { clock, link } = deps;
    this.#writer = new FrameWriter({ link, dialect, clock, session: this.#session, counters: this.counters });
    this.#requests = new Requests({
      writer: this.#writer,
      serial: deps.serial,
      counters: this.counters,
      onStopFailed: (error) => this.#fault.emit({ code: 'STOP_UNCONFIRMED', text: errorText(error) }),
      clock,
    });
    this.#field = new FieldChannel({ requests: this.#requests, clock });
    this.#noise = new NoiseMeter(deps.clock);
    this.#latch = new ControllerLatch({
      hasSessions: dialect.hasSessions,
      requests: this.#requests,
      probe: () => this.#sendLimits(),
      lost: (text) => this.#fault.emit({ code: 'SERIAL_LOST', text }),
    });
    this.#handshake = new Handshake({
      clock: deps.clock,
      serial: deps.serial,
      repeats: dialect.repeatsHello,
      writer: this.#writer,
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
  readonly onJogRejected = this.#jogRejected.on.bind(this.#jogRejected);
  readonly onSessionFault = this.#fault.on.bind(this.#fault);
  readonly onEstopInput = this.#estopInput.on.bind(this.#estopInput);

  get field(): FieldPort | undefined {
    return this.#hasField ? this.#field : undefined;
  }

  async open(): Promise<Hello> {
    const reply = await this.#handshake.start();
    this.#hasSession = true;
    this.traits = { ...this.traits, feedback: (reply.caps & CAPS.closedLoopDistance) !== 0 };
    await this.#sendLimits();
    this.#hasField = this.#dialect.hasSessions && (reply.caps & CAPS.protectiveField) !== 0;
    if (this.#hasField) await this.#field.open(this.#deps.protectiveField.marginMm, REACTION_MS);
    const { major, minor, patch } = reply.firmware;
    return {
      firmware: `${major}.${minor}.${patch}`,
      simulated: (reply.caps & CAPS.simulated) !== 0,
      bootCount: reply.bootCount,
      caps: reply.caps,
    };
  }

  move(request: MoveRequest): Promise<void> {
    const { wireId, distanceMm, angleDdeg, maxSpeedMmps, remainingTtlMs } = request;
    const maxDurationDs = Math.min(0xffff, Math.ceil(request.maxDurationMs / 100));
    return this.#requests.send('move', () => {
      const ttlMs = Math.floor(remainingTtlMs());
      // Reported as a missing acknowledgement, not as an expiry, because the controller may have received the move.
      if (ttlMs <= 0) throw new GatewayError('SERIAL_ACK_TIMEOUT', serialMessage('expired-unacknowledged'));
      return { type: 'MOVE', wireId, distanceMm, angleDdeg, maxSpeedMmps, ttlMs, maxDurationDs };
    });
  }

  jog(wireId: number, speedMmps: number, omegaDdegps: number, leaseMs: number): void {
    this.#writer.write({ type: 'JOG', wireId, speedMmps, omegaDdegps, leaseMs });
  }

  /** A retry of older limits must not replace the new ones. */
  limitSpeed(shares: SpeedShares): Promise<void> {
    this.#requests.supersede('limits');
    this.#shares = shares;
    return this.#sendLimits();
  }

  stop(category: 0 | 1 | 2): Promise<void> {
    return this.#requests.sendStop('stop', { type: 'STOP', category, wireId: 0 });
  }

  estop(source: number): Promise<void> {
    this.#estopSentMs = this.#deps.clock.now();
    return this.#requests.sendStop('estop', { type: 'ESTOP', source });
  }

  resetEstop(): Promise<void> {
    return this.#requests.send('reset', { type: 'ESTOP_RESET', nonce: this.#estopNonce });
  }

  heartbeat(armed: boolean): void {
    this.#writer.write({ type: 'HEARTBEAT', armed, timeoutMs: this.#deps.serial.timeoutMs });
  }

  writeDisarmed(): void {
    this.heartbeat(false);
  }

  close(): void {
    this.#handshake.cancel();
    this.#unlisten();
    this.#requests.abandon(new GatewayError('SERIAL_LOST', serialMessage('lost')));
  }

  #sendLimits(): Promise<void> {
    const { speed, turn } = this.#shares;
    const { maxSpeedMmps: most, accelMmps2, decelMmps2 } = this.#deps.limits;
    const maxSpeedMmps = Math.max(1, Math.round(most * speed));
    const omegaMaxDdegps = Math.max(1, Math.round(MAX_TURN_DEGPS * 10 * turn));
    return this.#requests.send('limits', {
      type: 'LIMITS',
      maxSpeedMmps,
      accelMmps2,
      decelMmps2,
      omegaMaxDdegps,
    });
  }

  #onFrame(frame: Frame): void {
    if (frame.session !== this.#session) return this.#onForeign(frame);
    this.counters.received += 1;
    switch (frame.type) {
      case 'HELLO_R':
        return this.#handshake.onReply(frame);
      case 'ACK':
      case 'NACK':
        this.#onReply(frame);
        return;
      case 'SENSORS_R':
        this.#field.onSensors(frame);
        this.#requests.settle(frame);
        return;
      case 'RANGES':
        return this.#field.onRanges(frame);
      case 'STATUS':
        return this.#onStatus(frame);
      case 'EVENT':
        this.#onEvent(frame);
        return;
      default:
        this.counters.dropped += 1;
    }
  }

  #onReply(frame: FrameOf<'ACK'> | FrameOf<'NACK'>): void {
    const isJog = frame.type === 'NACK' && frame.ofType === 'JOG';
    if (!isJog && !this.#requests.settle(frame)) this.counters.dropped += 1;
    if (frame.type === 'ACK') return;
    if (frame.code === 'BAD_SESSION' && this.#hasSession) return this.#onRestart();
    if (isJog) this.#jogRejected.emit(frame.wireId, nackError(frame.code));
  }

  #onStatus(frame: FrameOf<'STATUS'>): void {
    const isInputOpened = this.#isInputOpened(frame);
    this.#estopNonce = frame.estopNonce;
    this.#wasLatched = frame.state === 'ESTOP';
    if (frame.state === 'BOOT' && this.#hasSession) return this.#onRestart();
    if (frame.state === 'LINK_LOST' && this.#hasSession) return this.#onDeadman();
    if (!this.#latch.accepts(frame.state === 'ESTOP')) return;
    this.#telemetry.emit(telemetryOf(frame));
    if (isInputOpened) this.#estopInput.emit();
  }

  /** Controllers before CGW1 1.2 do not set the fault bit, but every press generates a new nonce. */
  #isInputOpened({ state, faults, estopNonce }: FrameOf<'STATUS'>): boolean {
    if (state !== 'ESTOP') return false;
    if (faults & FAULTS.estopInput) return true;
    const isNewNonce = this.#wasLatched && estopNonce !== this.#estopNonce;
    return isNewNonce && this.#deps.clock.now() - this.#estopSentMs > OWN_NONCE_MS;
  }

  #onEvent(frame: FrameOf<'EVENT'>): void {
    if (frame.ackReq) this.#acknowledge(frame);
    const { wireId, event, code, finalMm, finalDdeg } = frame;
    this.#motion.emit({ wireId, event, code, finalMm, finalDdeg });
  }

  /**
   * Acknowledges an event. Catches write errors, because an uncaught error in this callback of the serial line
   * would end the process.
   */
  #acknowledge({ seq, wireId }: FrameOf<'EVENT'>): void {
    try {
      this.#writer.reply({ type: 'ACK', ofType: 'EVENT', code: 0, wireId }, seq);
    } catch (error) {
      this.#fault.emit({ code: 'SERIAL_LOST', text: errorText(error) });
    }
  }

  /**
   * If this driver's session has started, a frame from another session, or without a session (0), means that the
   * controller has restarted. Otherwise, the frame is from an earlier session.
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

import { errorText, GatewayError } from '../../../shared/errors.js';
import { Signal } from '../../../shared/signal.js';
import type { Telemetry } from '../../command/model.js';
import { END_CODES } from '../codec/event-reasons.js';
import type { DriverDeps, Hello, MotionReport, MotorDriver, MoveRequest, SessionFault } from '../driver.js';
import { nackError } from '../drivers/requests.js';
import { serialMessage } from '../messages.js';
import type { BoardStatus, OpenLoopBoard } from './board.js';
import { type OpenLoopEnd, OpenLoopMotion } from './motion.js';
import { planMotion } from './motion-plan.js';
import { type Steps, Wheels } from './wheels.js';

/**
 * Waits for the board to acknowledge that the cart is braking. The driver does not resend a speed command, because
 * the next one replaces it. Therefore, any packet that is sent after the stop can confirm the stop.
 */
class BrakeAck {
  #promise: Promise<void> = Promise.resolve();
  #waiting: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  /** Called before the first packet of the stop is sent. Stops that wait at the same time share a promise. */
  wait(): Promise<void> {
    if (!this.#waiting) {
      this.#promise = new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
      // Prevents an unhandled rejection, because callers can ignore the outcome of a stop.
      this.#promise.catch(() => undefined);
    }
    return this.#promise;
  }

  /** Called for every speed command. An unacknowledged speed command does not make the stop fail. */
  onSpeed(written: Promise<void>): void {
    const waiting = this.#waiting;
    written.then(
      () => {
        waiting?.resolve();
        if (this.#waiting === waiting) this.#waiting = undefined;
      },
      () => undefined,
    );
  }

  /** Called when the board is stopped, which ends the braking. The board's response is final. */
  onStop(stopped: Promise<void>): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    stopped.then(
      () => waiting?.resolve(),
      (error: unknown) => waiting?.reject(error),
    );
  }
}

/** Reported if the board's watchdog stopped the cart while the process was suspended. */
const LATE_CODE = END_CODES.linkLost;

/**
 * The driver times the motions, because the boards accept only speed commands. If speed commands and
 * heartbeats stop, the board's watchdog stops the cart.
 */
export class OpenLoopDriver implements MotorDriver {
  readonly #deps: DriverDeps;
  readonly #board: OpenLoopBoard;
  readonly #wheels: Wheels;
  readonly #motionControl: OpenLoopMotion;
  readonly #brakeAck = new BrakeAck();
  #wireId = 0;
  /** Incremented for every motion and stop, so that a stop cancels a motion that has not started yet. */
  #epoch = 0;
  #isStartReported = false;
  #pendingStops = 0;
  #isLatched = false;
  /** Counts latching stops, so that a reset detects a stop that arrives while the reset waits for the board. */
  #estops = 0;
  #heartbeatMs: number;
  #telemetry = new Signal<[Telemetry]>();
  #motion = new Signal<[MotionReport]>();
  #fault = new Signal<[SessionFault]>();
  #estopInput = new Signal();

  constructor(deps: DriverDeps, board: OpenLoopBoard) {
    this.#deps = deps;
    this.#board = board;
    this.#heartbeatMs = deps.clock.now();
    this.#wheels = new Wheels(deps.kinematics, deps.limits);
    this.#motionControl = new OpenLoopMotion({
      clock: deps.clock,
      wheels: this.#wheels,
      watchdogMs: deps.serial.timeoutMs,
      set: (steps) => this.#set(steps),
      onEnd: (end) => this.#stopBoard(end),
    });
    board.onReport(() => this.#onReport());
    board.onFault((fault) => this.#fault.emit(fault));
  }

  readonly onTelemetry = this.#telemetry.on.bind(this.#telemetry);
  readonly onMotion = this.#motion.on.bind(this.#motion);
  readonly onSessionFault = this.#fault.on.bind(this.#fault);
  readonly onEstopInput = this.#estopInput.on.bind(this.#estopInput);

  get traits() {
    return this.#board.traits;
  }

  get counters() {
    return this.#board.counters;
  }

  async open(): Promise<Hello> {
    if (this.#deps.kinematics.type !== 'differential') {
      const text = serialMessage('two-wheels-only', { driver: this.#deps.serial.driver });
      throw new GatewayError('INCOMPATIBLE', text, { field: 'kinematics.type' });
    }
    return this.#board.open();
  }

  /** Stops the board first, because a board that does not acknowledge the stop must not receive a speed command. */
  async move(request: MoveRequest): Promise<void> {
    const plan = planMotion(request, this.#wheels);
    if (this.#isLatched) throw nackError('ESTOP_ACTIVE');
    if (this.#motionControl.phase !== 'idle') throw nackError('BUSY');
    const epoch = ++this.#epoch;
    await this.#board.stop();
    if (epoch !== this.#epoch) throw new GatewayError('STOPPED', serialMessage('stopped-before'));
    if (request.remainingTtlMs() <= 0) throw nackError('EXPIRED');
    this.#wireId = request.wireId;
    this.#isStartReported = false;
    this.#motionControl.start(plan);
    this.#emitTelemetry();
  }

  jog(wireId: number, speedMmps: number, omegaDdegps: number, leaseMs: number): void {
    const { phase } = this.#motionControl;
    if (this.#isLatched) throw nackError('ESTOP_ACTIVE');
    if (phase === 'stopping' || (phase === 'running' && wireId !== this.#wireId)) throw nackError('BUSY');
    if (phase === 'idle') {
      // A late renewal of a stopped jog must not start a new motion.
      if (wireId <= this.#wireId) throw nackError('EXPIRED');
      this.#epoch += 1;
      this.#isStartReported = false;
    }
    this.#wireId = wireId;
    this.#motionControl.jog({ mmps: speedMmps, ddegps: omegaDdegps }, leaseMs);
  }

  stop(category: 0 | 1 | 2): Promise<void> {
    this.#epoch += 1;
    const isIdle = this.#motionControl.phase === 'idle';
    if (!isIdle && category !== 0) {
      const acknowledged = this.#brakeAck.wait();
      this.#motionControl.brake('cancelled');
      return acknowledged;
    }
    this.#motionControl.halt();
    return this.#stopBoard(isIdle ? undefined : 'cancelled');
  }

  /** The board has no latch, so the driver latches the stop and then sends only stops. */
  estop(): Promise<void> {
    this.#isLatched = true;
    this.#estops += 1;
    return this.stop(0);
  }

  async resetEstop(): Promise<void> {
    const stops = this.#estops;
    await this.#board.poll();
    if (stops !== this.#estops) {
      throw new GatewayError('CONTROLLER_ESTOP_ACTIVE', serialMessage('estop-still-active'));
    }
    if (this.#board.status.estop)
      throw new GatewayError('CONTROLLER_ESTOP_ACTIVE', serialMessage('estop-still-active'));
    this.#isLatched = false;
    this.#emitTelemetry();
  }

  heartbeat(armed: boolean): void {
    this.#heartbeatMs = this.#deps.clock.now();
    if (!armed && this.#motionControl.phase === 'running') this.stop(1);
    // The board keeps its last speed. If the packet that ended a motion was lost, or the board has restored an earlier
    // speed, the next heartbeat stops the motors. Two packets per heartbeat load a 9600 baud line by 17 % at most.
    if (this.#motionControl.phase === 'idle') this.#board.writeZeroSpeed();
    this.#board.heartbeat();
  }

  writeDisarmed(): void {
    this.#board.writeZeroSpeed();
  }

  close(): void {
    const isMoving = this.#motionControl.phase !== 'idle';
    this.#motionControl.halt();
    if (isMoving) this.#brakeAck.onStop(this.#board.stop());
    this.#board.close();
  }

  #set(steps: Steps): void {
    const { clock, serial } = this.#deps;
    // Without heartbeats, the driver sends no speed commands, so that the board's watchdog stops the cart.
    if (clock.now() - this.#heartbeatMs > serial.timeoutMs) {
      return this.#fault.emit({ code: 'SERIAL_LOST', text: serialMessage('loop-silent') });
    }
    const epoch = this.#epoch;
    const written = this.#board.set(steps);
    this.#brakeAck.onSpeed(written);
    written.then(
      () => epoch === this.#epoch && this.#onStarted(),
      (error: unknown) => this.#onSpeedLost(error),
    );
  }

  /** The next speed command replaces an unacknowledged one; the link detects a board that does not reply. */
  #onSpeedLost(error: unknown): void {
    if (!(error instanceof GatewayError) || error.code !== 'SERIAL_DOWN') return;
    this.#fault.emit({ code: 'SERIAL_LOST', text: error.text });
  }

  #onStarted(): void {
    if (this.#isStartReported) return;
    this.#isStartReported = true;
    this.#motion.emit(this.#reportOf('started', 0));
  }

  /** Emits the end of the motion when the board acknowledges the stop; otherwise, emits a fault. */
  #stopBoard(end: OpenLoopEnd | undefined): Promise<void> {
    const ended = end && this.#reportOf(end === 'late' ? 'failed' : end, end === 'late' ? LATE_CODE : 0);
    this.#pendingStops += 1;
    const stopped = this.#board.stop();
    this.#brakeAck.onStop(stopped);
    stopped
      .finally(() => (this.#pendingStops -= 1))
      .then(
        () => {
          if (ended) this.#motion.emit(ended);
          this.#emitTelemetry();
        },
        (error: unknown) => this.#fault.emit({ code: 'STOP_UNCONFIRMED', text: errorText(error) }),
      );
    return stopped;
  }

  #reportOf(event: MotionReport['event'], code: number): MotionReport {
    const { mm, ddeg } = this.#motionControl.travel;
    return { wireId: this.#wireId, event, code, finalMm: Math.round(mm), finalDdeg: Math.round(ddeg) };
  }

  #onReport(): void {
    if (this.#board.status.estop && !this.#isLatched) this.estop();
    this.#emitTelemetry();
    if (this.#board.status.estop) this.#estopInput.emit();
  }

  #emitTelemetry(): void {
    this.#telemetry.emit(openLoopTelemetry(this.#state(), this.#board.status, this.#motionControl));
  }

  #state(): Telemetry['state'] {
    if (this.#isLatched) return 'ESTOP';
    if (this.#board.status.errors.length > 0) return 'FAULT';
    if (this.#pendingStops > 0) return 'STOPPING';
    return ({ idle: 'IDLE', running: 'RUNNING', stopping: 'STOPPING' } as const)[this.#motionControl.phase];
  }
}

function openLoopTelemetry(
  state: Telemetry['state'],
  { errors, warnings, batteryMv, tempBoardC }: BoardStatus,
  { travel, speeds }: Pick<OpenLoopMotion, 'travel' | 'speeds'>,
): Telemetry {
  return {
    state,
    faults: [...errors, ...warnings],
    progressMm: Math.round(travel.mm),
    // Zero, because the wheels have no encoders.
    odoLeftMm: 0,
    odoRightMm: 0,
    speedMmps: Math.round(speeds.mmps),
    omegaDdegps: Math.round(speeds.ddegps),
    batteryMv,
    batteryCa: null,
    soc: null,
    tempBoardC,
    tempM1C: null,
    tempM2C: null,
  };
}

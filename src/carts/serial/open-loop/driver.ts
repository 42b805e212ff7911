import { GatewayError, saidBy } from '../../../shared/errors.js';
import { Signal } from '../../../shared/signal.js';
import type { Telemetry } from '../../command/model.js';
import type { DriverDeps, Hello, MotionReport, MotorDriver, MoveRequest, SessionFault } from '../driver.js';
import { serialMessage } from '../messages.js';
import type { BoardVitals, OpenLoopBoard } from './board.js';
import { type MotionEnd, OpenLoopMotion } from './motion.js';
import { planMotion } from './motion-plan.js';
import { type Steps, Wheels } from './wheels.js';

/** Of MotionReport: the process slept, and the board has stopped by itself. */
const CODE_LATE = 1;

/**
 * The driver for boards that are told speeds: it does in time what CGW1 leaves to the controller. The board's own
 * watchdog stays the outer net: it is fed by speeds and heartbeats, and both end with the control loop.
 */
export class OpenLoopDriver implements MotorDriver {
  readonly #deps: DriverDeps;
  readonly #board: OpenLoopBoard;
  readonly #wheels: Wheels;
  readonly #drive: OpenLoopMotion;
  #wireId = 0;
  /** Counts motions and stops: a motion that a stop has overtaken does not begin. */
  #turn = 0;
  #isTold = false;
  /** Stops that the board has not confirmed yet. */
  #resting = 0;
  #isLatched = false;
  #beatAtMs: number;
  /** Resolves when the board has taken the newest speed. */
  #slower: Promise<void> = Promise.resolve();
  #telemetry = new Signal<[Telemetry]>();
  #motion = new Signal<[MotionReport]>();
  #fault = new Signal<[SessionFault]>();

  constructor(deps: DriverDeps, board: OpenLoopBoard) {
    this.#deps = deps;
    this.#board = board;
    this.#beatAtMs = deps.clock.now();
    this.#wheels = new Wheels(deps.kinematics, deps.limits);
    this.#drive = new OpenLoopMotion({
      clock: deps.clock,
      wheels: this.#wheels,
      patienceMs: deps.serial.timeoutMs,
      set: (steps) => this.#set(steps),
      onEnd: (end) => this.#settle(end),
    });
    board.onHeard(() => this.#onHeard());
    board.onFault((fault) => this.#fault.emit(fault));
  }

  readonly onTelemetry = this.#telemetry.on.bind(this.#telemetry);
  readonly onMotion = this.#motion.on.bind(this.#motion);
  readonly onSessionFault = this.#fault.on.bind(this.#fault);

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

  /** Asks the board to stand first: one that does not answer to that is given no speed. */
  async move(request: MoveRequest): Promise<void> {
    const plan = planMotion(request, this.#wheels);
    if (this.#isLatched)
      throw new GatewayError('CONTROLLER_ESTOP_ACTIVE', serialMessage('nack.ESTOP_ACTIVE'));
    if (this.#drive.phase !== 'standing')
      throw new GatewayError('CONTROLLER_BUSY', serialMessage('nack.BUSY'));
    const turn = ++this.#turn;
    await this.#board.rest();
    if (turn !== this.#turn) throw new GatewayError('STOPPED', serialMessage('stopped-before'));
    if (request.remainingTtlMs() <= 0)
      throw new GatewayError('CONTROLLER_EXPIRED', serialMessage('nack.EXPIRED'));
    this.#wireId = request.wireId;
    this.#isTold = false;
    this.#drive.start(plan);
    this.#tell();
  }

  jog(wireId: number, speedMmps: number, omegaDdegps: number, leaseMs: number): void {
    if (this.#isLatched || this.#drive.phase === 'stopping') return;
    if (this.#drive.phase === 'running' && wireId !== this.#wireId) return;
    if (this.#drive.phase === 'standing') {
      // What a stick that is still held says after its jog was stopped starts nothing.
      if (wireId <= this.#wireId) return;
      this.#turn += 1;
      this.#isTold = false;
    }
    this.#wireId = wireId;
    this.#drive.jog({ mmps: speedMmps, ddegps: omegaDdegps }, leaseMs);
  }

  stop(category: 0 | 1 | 2): Promise<void> {
    this.#turn += 1;
    const isStanding = this.#drive.phase === 'standing';
    if (!isStanding && category !== 0) {
      this.#drive.brake('cancelled');
      return this.#slower;
    }
    this.#drive.halt();
    return this.#settle(isStanding ? undefined : 'cancelled');
  }

  /** The board has no latch that can be set: the driver keeps it, and sends nothing but stops. */
  estop(): Promise<void> {
    this.#isLatched = true;
    return this.stop(0);
  }

  async resetEstop(): Promise<void> {
    await this.#board.look();
    if (this.#board.vitals.estop)
      throw new GatewayError('CONTROLLER_ESTOP_ACTIVE', serialMessage('estop-still-active'));
    this.#isLatched = false;
    this.#tell();
  }

  heartbeat(armed: boolean): void {
    this.#beatAtMs = this.#deps.clock.now();
    if (!armed && this.#drive.phase === 'running') this.stop(1);
    this.#board.beat();
  }

  /** The last word of a session in which the wheels turn is a stop. */
  close(): void {
    const isMoving = this.#drive.phase !== 'standing';
    this.#drive.halt();
    if (isMoving) this.#board.rest().catch(() => undefined);
    this.#board.close();
  }

  #set(steps: Steps): void {
    const { clock, serial } = this.#deps;
    // Speeds must not feed the board's watchdog when the loop that watches over them has died.
    if (clock.now() - this.#beatAtMs > serial.timeoutMs) {
      return this.#fault.emit({ code: 'SERIAL_LOST', text: serialMessage('loop-silent') });
    }
    const turn = this.#turn;
    this.#slower = this.#board.set(steps);
    this.#slower.then(
      () => turn === this.#turn && this.#onStarted(),
      (error: unknown) => this.#onSpeedLost(error),
    );
  }

  /** A speed that is not acknowledged is replaced by the next; a board that says nothing is noticed by its silence. */
  #onSpeedLost(error: unknown): void {
    if (!(error instanceof GatewayError) || error.code !== 'SERIAL_DOWN') return;
    this.#fault.emit({ code: 'SERIAL_LOST', text: error.said });
  }

  #onStarted(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#motion.emit(this.#reportOf('started', 0));
  }

  /** Has the board stand, and tells the end of the motion when it does; one that never says so loses its session. */
  #settle(end: MotionEnd | undefined): Promise<void> {
    const ended = end && this.#reportOf(end === 'late' ? 'failed' : end, end === 'late' ? CODE_LATE : 0);
    this.#resting += 1;
    const rest = this.#board.rest();
    rest
      .finally(() => (this.#resting -= 1))
      .then(
        () => {
          if (ended) this.#motion.emit(ended);
          this.#tell();
        },
        (error: unknown) => this.#fault.emit({ code: 'STOP_UNCONFIRMED', text: saidBy(error) }),
      );
    return rest;
  }

  #reportOf(event: MotionReport['event'], code: number): MotionReport {
    const { mm, ddeg } = this.#drive.way;
    return { wireId: this.#wireId, event, code, finalMm: Math.round(mm), finalDdeg: Math.round(ddeg) };
  }

  #onHeard(): void {
    if (this.#board.vitals.estop && !this.#isLatched) this.estop();
    this.#tell();
  }

  #tell(): void {
    this.#telemetry.emit(timedTelemetry(this.#state(), this.#board.vitals, this.#drive));
  }

  #state(): Telemetry['state'] {
    if (this.#isLatched) return 'ESTOP';
    if (this.#board.vitals.errors.length > 0) return 'FAULT';
    if (this.#resting > 0) return 'STOPPING';
    return ({ standing: 'IDLE', running: 'RUNNING', stopping: 'STOPPING' } as const)[this.#drive.phase];
  }
}

/** What is known of a board that measures no way: its own vitals, and what it was told. */
function timedTelemetry(
  state: Telemetry['state'],
  { errors, warnings, batteryMv, tempBoardC }: BoardVitals,
  { way, speeds }: Pick<OpenLoopMotion, 'way' | 'speeds'>,
): Telemetry {
  return {
    state,
    faults: [...errors, ...warnings],
    progressMm: Math.round(way.mm),
    // No wheel is counted.
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

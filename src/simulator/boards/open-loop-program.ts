import type { ControllerState } from '../../carts/index.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ControllerContext, ControllerProgram } from '../controller/context.js';
import { ControllerHealth } from '../controller/health.js';
import type { Limits, SimulatedEnd } from '../controller/motions.js';
import { Motors } from './motors.js';

/** Speed at full power. The ramp from full reverse to full forward takes 0.25 s. */
const FULL_MMPS = 1000;
const LIMITS: Limits = {
  maxSpeedMmps: FULL_MMPS,
  accelMmps2: 8000,
  decelMmps2: 8000,
  // With this value, the wheels also accelerate at 8000 mm/s² in turns.
  omegaMaxDdegps: 11_460,
};
const DDEG_PER_RAD = 1800 / Math.PI;
const STOPPED: SimulatedEnd = { event: 'cancelled', reason: 'stop' };
const TIMED_OUT: SimulatedEnd = { event: 'failed', reason: 'linkLost' };
const REPORT_MS = { moving: 100, idle: 500 };

export interface PacketPort {
  receive(bytes: Uint8Array): void;
}

/** A mixed-mode board for two motors that has a serial timeout but no position control. */
export class OpenLoopProgram implements ControllerProgram {
  readonly motors: Motors;
  readonly health: ControllerHealth;
  readonly estop: ControllerProgram['estop'];
  readonly #context: ControllerContext;
  readonly #port: PacketPort;
  /** Fractions of full power, −1…1. The cart moves only if both `#forward` and `#turn` are set. */
  #forward: number | undefined;
  #turn: number | undefined;
  #motion = 0;
  /** 0 means no timeout, as after a restart. */
  #timeoutMs = 0;
  #lastFrameMs = 0;
  #isTimedOut = false;
  #watchdog: Cancel = () => undefined;
  #reports: Cancel = () => undefined;

  constructor(context: ControllerContext, createPort: (program: OpenLoopProgram) => PacketPort) {
    const { clock, chassis, faults, estopPressed } = context;
    this.#context = context;
    this.#port = createPort(this);
    // The board has no E-stop latch: the input stops the motors only while the button is pressed.
    this.estop = {
      get latched() {
        return estopPressed();
      },
      pressReset: () => undefined,
      releaseReset: () => false,
    };
    this.health = new ControllerHealth({ chassis, faults, clock });
    const onTick = (nowMs: number) => this.#checkWatchdogs(nowMs);
    this.motors = new Motors({
      clock,
      chassis,
      faults,
      health: this.health,
      configured: LIMITS,
      onTick,
      onMotionEvent: () => this.report(),
    });
  }

  get state(): ControllerState {
    if (this.estop.latched) return 'ESTOP';
    if (this.health.critical) return 'FAULT';
    if (this.#isTimedOut) return 'LINK_LOST';
    return ({ idle: 'IDLE', running: 'RUNNING', stopping: 'STOPPING' } as const)[this.motors.phase];
  }

  /** The timeout in units of 100 ms, as on the serial line. */
  get timeoutUnits(): number {
    return this.#timeoutMs / 100;
  }

  set timeoutUnits(units: number) {
    this.#timeoutMs = units * 100;
  }

  start(): void {
    this.report();
  }

  receive(bytes: Uint8Array): void {
    this.#port.receive(bytes);
  }

  packetReceived(): void {
    this.#context.counters.framesReceived += 1;
    this.#lastFrameMs = this.#context.clock.now();
    this.#armWatchdog();
  }

  /** Executes a mixed-mode command (8 to 13). Returns false for any other command. */
  setSpeed(command: number, value: number): boolean {
    const fraction = value / 127;
    // The value is between 0 and 127, with 64 as stop: 63 steps forward and 64 steps backward.
    const centred = (value - 64) / (value > 64 ? 63 : 64);
    if (command === 8 || command === 9) this.#forward = command === 8 ? fraction : -fraction;
    else if (command === 10 || command === 11) this.#turn = command === 11 ? fraction : -fraction;
    else if (command === 12) this.#forward = centred;
    else if (command === 13) this.#turn = -centred;
    else return false;
    this.#isTimedOut = false;
    this.#drive();
    return true;
  }

  /** Only calls `onChange`, because the board does not send a status. */
  report(): void {
    this.#reports();
    const everyMs = this.motors.phase === 'idle' ? REPORT_MS.idle : REPORT_MS.moving;
    this.#reports = this.#context.clock.after(everyMs, () => this.report());
    this.motors.updatePhysics();
    this.#context.onChange();
  }

  emergencyStop(): void {
    this.motors.stop(0, STOPPED);
    this.report();
  }

  kill(): void {
    this.#watchdog();
    this.#reports();
    this.motors.kill();
  }

  #drive(): void {
    const [forward, turn] = [this.#forward, this.#turn];
    if (forward === undefined || turn === undefined) return;
    const isMoving = forward !== 0 || turn !== 0;
    if (this.estop.latched || this.health.critical) return;
    if (this.motors.phase === 'idle') {
      if (!isMoving) return;
      this.#motion += 1;
      this.#context.counters.commandsSeen += 1;
      this.#context.counters.motions += 1;
    }
    const turnRadps = (turn * FULL_MMPS) / (this.#context.chassis.trackMm / 2);
    const speeds = { speedMmps: forward * FULL_MMPS, omegaDdegps: turnRadps * DDEG_PER_RAD };
    this.motors.jog({ wireId: this.#motion, ...speeds, leaseMs: Number.POSITIVE_INFINITY });
  }

  #checkWatchdogs(nowMs: number): void {
    if (this.#timeoutMs > 0 && nowMs - this.#lastFrameMs >= this.#timeoutMs) this.#timeOut();
    if (this.health.critical) this.motors.stop(0, STOPPED);
  }

  #armWatchdog(): void {
    this.#watchdog();
    if (this.#timeoutMs === 0) return;
    this.#watchdog = this.#context.clock.after(this.#timeoutMs, () => this.#timeOut());
  }

  /** Stops both motors until both speeds have been set again. */
  #timeOut(): void {
    this.#watchdog();
    if (this.#isTimedOut) return;
    this.#isTimedOut = true;
    this.#forward = undefined;
    this.#turn = undefined;
    this.motors.stop(1, TIMED_OUT);
    this.report();
  }
}

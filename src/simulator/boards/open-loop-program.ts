import type { ControllerState } from '../../carts/serial/codec/codec.js';
import type { Cancel } from '../../shared/ports/ports.js';
import type { ControllerContext, Program } from '../controller/context.js';
import { Health } from '../controller/health.js';
import type { Ending, Limits } from '../controller/orders.js';
import { Motors } from './motors.js';

/** How fast this cart is at full power, and how the board's own ramps are: a quarter of a second from end to end. */
const FULL_MMPS = 1000;
const LIMITS: Limits = {
  maxSpeedMmps: FULL_MMPS,
  accelMmps2: 8000,
  decelMmps2: 8000,
  omegaMaxDdegps: 36_000,
};
const DDEG_PER_RAD = 1800 / Math.PI;
const STOPPED: Ending = { event: 'cancelled', reason: 'stop' };
const TIME_OUT: Ending = { event: 'failed', reason: 'linkLost' };
const REPORT_MS = { moving: 100, idle: 500 };

/** The part of a packet board that reads the line and answers. */
export interface PacketPort {
  receive(bytes: Uint8Array): void;
}

/** A board that knows speeds and no distances: two motors in mixed mode, and a serial timeout. */
export class SpeedProgram implements Program {
  readonly motors: Motors;
  readonly health: Health;
  readonly estop: Program['estop'];
  readonly #world: ControllerContext;
  readonly #port: PacketPort;
  /** −1…1 of full power; undefined until it was told: the board moves only when it knows both. */
  #ahead: number | undefined;
  #left: number | undefined;
  #motion = 0;
  /** 0 = never stop by itself, as after every start. */
  #timeoutMs = 0;
  #heardMs = 0;
  #isTimedOut = false;
  #watchdog: Cancel = () => undefined;
  #reports: Cancel = () => undefined;

  constructor(world: ControllerContext, createPort: (program: SpeedProgram) => PacketPort) {
    const { clock, body, faults, estopPressed } = world;
    this.#world = world;
    this.#port = createPort(this);
    // Its input only holds the motors while it is pressed: nothing is latched.
    this.estop = {
      get latched() {
        return estopPressed();
      },
      touch: () => undefined,
      resetHere: () => false,
    };
    this.health = new Health({ body, faults, clock });
    const onTick = (nowMs: number) => this.#watch(nowMs);
    this.motors = new Motors({
      clock,
      body,
      faults,
      health: this.health,
      onTick,
      onNews: () => this.report(),
    });
    this.motors.limits = LIMITS;
  }

  get state(): ControllerState {
    if (this.estop.latched) return 'ESTOP';
    if (this.health.critical) return 'FAULT';
    if (this.#isTimedOut) return 'LINK_LOST';
    return ({ standing: 'IDLE', running: 'RUNNING', stopping: 'STOPPING' } as const)[this.motors.phase];
  }

  /** In units of 100 ms, as it is asked for and told. */
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

  /** A whole packet has come: the host is alive. */
  hear(): void {
    this.#world.counters.framesReceived += 1;
    this.#heardMs = this.#world.clock.now();
    this.#guard();
  }

  /** One of the mixed commands 8 to 13; false for any other. */
  obey(command: number, value: number): boolean {
    const share = value / 127;
    // 64 of 0…127 is the middle, and there is one step less above it than below.
    const middled = (value - 64) / (value > 64 ? 63 : 64);
    if (command === 8 || command === 9) this.#ahead = command === 8 ? share : -share;
    else if (command === 10 || command === 11) this.#left = command === 11 ? share : -share;
    else if (command === 12) this.#ahead = middled;
    else if (command === 13) this.#left = -middled;
    else return false;
    this.#isTimedOut = false;
    this.#drive();
    return true;
  }

  /** Nobody is told over the line; a bystander looks as often as at any other controller. */
  report(): void {
    this.#reports();
    const everyMs = this.motors.phase === 'standing' ? REPORT_MS.idle : REPORT_MS.moving;
    this.#reports = this.#world.clock.after(everyMs, () => this.report());
    this.motors.settle();
    this.#world.onChange();
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
    const [ahead, left] = [this.#ahead, this.#left];
    if (ahead === undefined || left === undefined) return;
    const isWanted = ahead !== 0 || left !== 0;
    if (this.estop.latched || this.health.critical) return;
    if (this.motors.phase === 'standing') {
      if (!isWanted) return;
      this.#motion += 1;
      this.#world.counters.commandsSeen += 1;
      this.#world.counters.motions += 1;
    }
    const turnRadps = (left * FULL_MMPS) / (this.#world.body.trackMm / 2);
    const speeds = { speedMmps: ahead * FULL_MMPS, omegaDdegps: turnRadps * DDEG_PER_RAD };
    this.motors.jog({ wireId: this.#motion, ...speeds, leaseMs: Number.POSITIVE_INFINITY });
  }

  #watch(nowMs: number): void {
    if (this.#timeoutMs > 0 && nowMs - this.#heardMs >= this.#timeoutMs) this.#timeOut();
    if (this.health.critical) this.motors.stop(0, STOPPED);
  }

  /** Wakes when the host has been silent for too long; a packet in between only makes it sleep again. */
  #guard(): void {
    this.#watchdog();
    if (this.#timeoutMs === 0) return;
    this.#watchdog = this.#world.clock.after(this.#timeoutMs, () => this.#timeOut());
  }

  /** Both motors stop, and only new speeds for both start them again. */
  #timeOut(): void {
    this.#watchdog();
    if (this.#isTimedOut) return;
    this.#isTimedOut = true;
    this.#ahead = undefined;
    this.#left = undefined;
    this.motors.stop(1, TIME_OUT);
    this.report();
  }
}

import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { ControllerFaults } from '../controller/faults.js';
import type { ControllerHealth } from '../controller/health.js';
import {
  HARDWARE,
  type Jog,
  type Limits,
  type MotionEvent,
  type Move,
  type SimulatedEnd,
} from '../controller/motions.js';
import { MotionController } from '../physics/motion-controller.js';
import type { Chassis } from '../physics/physics.js';

const TICK_MS = 10;
const DDEG_PER_RAD = 1800 / Math.PI;

interface MotorsDeps {
  clock: Clock;
  chassis: Chassis;
  faults: ControllerFaults;
  health: ControllerHealth;
  /** The controller's own limits. */
  configured?: Limits;
  /** Called before each 10 ms step to check the watchdogs. */
  onTick: (nowMs: number) => void;
  onMotionEvent: (event: MotionEvent) => void;
}

/** The motors' power stage and motion, simulated in steps of 10 ms while a motion is in progress. */
export class Motors {
  enable = false;
  started = 0;
  readonly #deps: MotorsDeps;
  readonly #drive: MotionController;
  #waiting: { move: Move; untilMs: number } | undefined;
  #disableAtRest = false;
  #silent = false;
  #ticking: Cancel | undefined;
  #tickMs = 0;
  #elapsedMs: number;

  constructor(deps: MotorsDeps) {
    this.#deps = deps;
    this.#elapsedMs = deps.clock.now();
    this.#drive = new MotionController({
      chassis: deps.chassis,
      configured: deps.configured ?? HARDWARE,
      onStarted: (wireId) => this.#onStarted(wireId),
      onEnded: (wireId, ending) => this.#onEnded(wireId, ending),
    });
  }

  get limits(): Limits {
    return this.#drive.limits;
  }

  set limits(limits: Limits) {
    this.#drive.limits = limits;
  }

  get decelMmps2(): number {
    return this.#drive.decelMmps2;
  }

  get phase(): MotionController['phase'] {
    return this.#drive.phase;
  }

  get wireId(): number {
    return this.#drive.wireId;
  }

  get progress(): MotionController['progress'] {
    return this.#drive.progress;
  }

  /** Returns true if a motion must be rejected. A move can wait for a stop; a jog can replace another jog. */
  busyFor(kind: 'move' | 'jog'): boolean {
    if (this.#waiting) return true;
    const { phase } = this.#drive;
    if (kind === 'move') return phase === 'running';
    return phase === 'stopping' || this.#drive.kind === 'move';
  }

  /** Starts a move as soon as the cart is stationary. A move that waits for longer than `ttlMs` expires. */
  move(move: Move, ttlMs: number): void {
    const now = this.#deps.clock.now();
    if (this.phase === 'stopping') this.#waiting = { move, untilMs: now + ttlMs };
    else this.#drive.move(move, now);
  }

  jog(jog: Jog): void {
    this.#drive.jog(jog, this.#deps.clock.now());
  }

  /**
   * Stops the motors with an IEC 60204-1 stop category: 2 decelerates and keeps the power on; 1 decelerates,
   * then switches the power off; 0 switches the power off immediately.
   */
  stop(category: 0 | 1 | 2, ending: SimulatedEnd): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (category < 2) this.#disableAtRest = true;
    if (category === 0) this.#drive.cut(ending);
    else this.#drive.ramp(ending);
    if (waiting) this.#deps.onMotionEvent({ wireId: waiting.move.wireId, ...ending });
    if (this.phase === 'idle' && this.#disableAtRest) this.enable = false;
  }

  has(wireId: number): boolean {
    return this.wireId === wireId || this.#waiting?.move.wireId === wireId;
  }

  /** Stops without sending an event, because the host that requested the motion has disconnected. */
  stopSilently(): void {
    this.#silent = true;
    this.#waiting = undefined;
    this.stop(1, { event: 'cancelled', reason: 'superseded' });
  }

  updatePhysics(nowMs = this.#deps.clock.now()): void {
    const { speedMmps, omegaDdegps } = this.progress;
    const stalled = this.phase === 'running' && this.#deps.faults.has('stall');
    const load = { enabled: this.enable, speedMmps, omegaRadps: omegaDdegps / DDEG_PER_RAD, stalled };
    this.#deps.chassis.elapse(Math.max(0, nowMs - this.#elapsedMs) / 1000, load);
    this.#elapsedMs = nowMs;
  }

  /** Simulates a power loss: stops immediately, sends no event, and cancels all timers. */
  kill(): void {
    this.#silent = true;
    this.#waiting = undefined;
    this.#drive.cut({ event: 'failed', reason: 'none' });
    this.enable = false;
    this.#stopTicking();
  }

  #onStarted(wireId: number): void {
    this.enable = true;
    this.#disableAtRest = false;
    this.#silent = false;
    this.started += 1;
    if (!this.#ticking) this.#tickMs = this.#deps.clock.now();
    this.#ticking ??= this.#deps.clock.every(TICK_MS, () => this.#catchUp());
    this.#deps.onMotionEvent({ wireId, event: 'started', reason: 'none' });
  }

  #onEnded(wireId: number, ending: SimulatedEnd): void {
    if (!this.#silent) this.#deps.onMotionEvent({ wireId, ...ending });
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.#startWaiting(waiting);
    else if (this.#disableAtRest) this.enable = false;
  }

  #startWaiting({ move, untilMs }: { move: Move; untilMs: number }): void {
    if (this.#tickMs < untilMs) return this.#drive.move(move, this.#tickMs);
    this.#deps.onMotionEvent({ wireId: move.wireId, event: 'expired', reason: 'none' });
    if (this.#disableAtRest) this.enable = false;
  }

  /** Runs all missed steps and watchdog checks, because the timer may fire late. */
  #catchUp(): void {
    const now = this.#deps.clock.now();
    while (this.phase !== 'idle' && this.#tickMs + TICK_MS <= now) {
      this.#tickMs += TICK_MS;
      this.#step();
    }
    if (this.phase === 'idle') this.#stopTicking();
  }

  #step(): void {
    const { chassis, faults, health, onTick } = this.#deps;
    chassis.slip = faults.argument('wheelSlip') ?? 0;
    onTick(this.#tickMs);
    const stalled = faults.has('stall');
    if (this.phase === 'running') health.watchWheels(TICK_MS, !stalled);
    this.updatePhysics(this.#tickMs);
    this.#drive.step(this.#tickMs, TICK_MS / 1000, stalled);
  }

  #stopTicking(): void {
    this.#ticking?.();
    this.#ticking = undefined;
  }
}

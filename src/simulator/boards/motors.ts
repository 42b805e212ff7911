import type { Cancel, Clock } from '../../shared/ports/ports.js';
import type { FaultPanel } from '../controller/faults.js';
import type { Health } from '../controller/health.js';
import {
  type Ending,
  HARDWARE,
  type Jog,
  type Limits,
  type MotionNews,
  type Move,
} from '../controller/orders.js';
import { Chassis } from '../physics/drive.js';
import type { Body } from '../physics/physics.js';

const TICK_MS = 10;
const DDEG_PER_RAD = 1800 / Math.PI;

interface MotorsDeps {
  clock: Clock;
  body: Body;
  faults: FaultPanel;
  health: Health;
  /** Before each step of 10 ms, with the time that the step stands for: the watchdogs. */
  onTick: (nowMs: number) => void;
  onNews: (news: MotionNews) => void;
}

/** The power stage and the motion on it. It ticks every 10 ms while the cart moves, and not at all while it stands. */
export class Motors {
  /** The motor-enable output of the controller. */
  enable = false;
  limits: Limits = { ...HARDWARE };
  /** Motions that really began. */
  started = 0;
  readonly #deps: MotorsDeps;
  readonly #drive: Chassis;
  #waiting: { order: Move; untilMs: number } | undefined;
  #offWhenStill = false;
  #disowned = false;
  #ticking: Cancel | undefined;
  #tickMs = 0;
  #elapsedMs: number;

  constructor(deps: MotorsDeps) {
    this.#deps = deps;
    this.#elapsedMs = deps.clock.now();
    this.#drive = new Chassis({
      body: deps.body,
      limits: () => this.limits,
      onStarted: (wireId) => this.#onStarted(wireId),
      onEnded: (wireId, ending) => this.#onEnded(wireId, ending),
    });
  }

  get phase(): Chassis['phase'] {
    return this.#drive.phase;
  }

  get wireId(): number {
    return this.#drive.wireId;
  }

  get progress(): Chassis['progress'] {
    return this.#drive.progress;
  }

  /** Whether a new motion must be refused: a move may wait for a stop that is under way, a jog may follow a jog. */
  busyFor(kind: 'move' | 'jog'): boolean {
    if (this.#waiting) return true;
    const { phase } = this.#drive;
    if (kind === 'move') return phase === 'running';
    return phase === 'stopping' || this.#drive.kind === 'move';
  }

  /** Starts a move now, or as soon as the cart stands; after `ttlMs` it never starts. */
  move(order: Move, ttlMs: number): void {
    const now = this.#deps.clock.now();
    if (this.phase === 'stopping') this.#waiting = { order, untilMs: now + ttlMs };
    else this.#drive.move(order, now);
  }

  jog(order: Jog): void {
    this.#drive.jog(order, this.#deps.clock.now());
  }

  /** Category 2: ramp; 1: ramp, then switch off; 0: off at once. */
  stop(category: 0 | 1 | 2, ending: Ending): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (category < 2) this.#offWhenStill = true;
    if (category === 0) this.#drive.cut(ending);
    else this.#drive.ramp(ending);
    if (waiting) this.#deps.onNews({ wireId: waiting.order.wireId, ...ending });
    if (this.phase === 'standing' && this.#offWhenStill) this.enable = false;
  }

  /** Whether a motion of this number runs or waits. */
  has(wireId: number): boolean {
    return this.wireId === wireId || this.#waiting?.order.wireId === wireId;
  }

  /** Stops, and tells nobody: the host that wanted the motion is gone. */
  disown(): void {
    this.#disowned = true;
    this.#waiting = undefined;
    this.stop(1, { event: 'cancelled', reason: 'superseded' });
  }

  /** Brings battery and temperatures up to now. */
  settle(nowMs = this.#deps.clock.now()): void {
    const { speedMmps, omegaDdegps } = this.progress;
    const stalled = this.phase === 'running' && this.#deps.faults.has('stall');
    const load = { enabled: this.enable, speedMmps, omegaRadps: omegaDdegps / DDEG_PER_RAD, stalled };
    this.#deps.body.elapse(Math.max(0, nowMs - this.#elapsedMs) / 1000, load);
    this.#elapsedMs = nowMs;
  }

  /** The power is gone: the brakes hold, nothing is told, no timer is left. */
  kill(): void {
    this.#disowned = true;
    this.#waiting = undefined;
    this.#drive.cut({ event: 'failed', reason: 'none' });
    this.enable = false;
    this.#rest();
  }

  #onStarted(wireId: number): void {
    this.enable = true;
    this.#offWhenStill = false;
    this.#disowned = false;
    this.started += 1;
    if (!this.#ticking) this.#tickMs = this.#deps.clock.now();
    this.#ticking ??= this.#deps.clock.every(TICK_MS, () => this.#catchUp());
    this.#deps.onNews({ wireId, event: 'started', reason: 'none' });
  }

  #onEnded(wireId: number, ending: Ending): void {
    if (!this.#disowned) this.#deps.onNews({ wireId, ...ending });
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.#startLate(waiting);
    else if (this.#offWhenStill) this.enable = false;
  }

  #startLate({ order, untilMs }: { order: Move; untilMs: number }): void {
    if (this.#tickMs < untilMs) return this.#drive.move(order, this.#tickMs);
    this.#deps.onNews({ wireId: order.wireId, event: 'expired', reason: 'none' });
    if (this.#offWhenStill) this.enable = false;
  }

  /** A busy machine wakes us late: every missed step is made up for, with its watchdogs. */
  #catchUp(): void {
    const now = this.#deps.clock.now();
    while (this.phase !== 'standing' && this.#tickMs + TICK_MS <= now) {
      this.#tickMs += TICK_MS;
      this.#step();
    }
    if (this.phase === 'standing') this.#rest();
  }

  #step(): void {
    const { faults, health, onTick } = this.#deps;
    onTick(this.#tickMs);
    const stalled = faults.has('stall');
    if (this.phase === 'running') health.watchWheels(TICK_MS, !stalled);
    this.settle(this.#tickMs);
    this.#drive.step(this.#tickMs, TICK_MS / 1000, stalled);
  }

  #rest(): void {
    this.#ticking?.();
    this.#ticking = undefined;
  }
}

import { never } from '../../../shared/errors.js';
import { type AxisLimits, approach, brakingSpeed } from '../../../shared/motion-profile.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import type { MotionPlan, Travel } from './motion-plan.js';
import { ROUNDING, type Speeds, type Steps, type Wheels } from './wheels.js';

const STEP_MS = 50;
const STEP_S = STEP_MS / 1000;
const ZERO: Speeds = { mmps: 0, ddegps: 0 };

/** `late` means that the board's watchdog stopped the cart while the process was suspended. */
export type OpenLoopEnd = 'finished' | 'cancelled' | 'late';

interface OpenLoopMotionDeps {
  clock: Clock;
  wheels: Wheels;
  /** The board stops by itself after this many ms of silence. */
  watchdogMs: number;
  set: (steps: Steps) => void;
  /** Called when a motion ends; must stop the board. */
  onEnd: (end: OpenLoopEnd) => void;
}

type Mode =
  | { kind: 'plan'; plan: MotionPlan }
  | { kind: 'jog'; target: Speeds; untilMs: number }
  | { kind: 'brake'; end: OpenLoopEnd };

/**
 * Executes motions on a board that has no feedback. Each step derives the speed from the estimated travel, not
 * from the time since the start, so a late timer delays the motion but never makes the cart faster: per step,
 * the speed rises by at most one acceleration step (or one speed step of the board, if that is more).
 */
export class OpenLoopMotion {
  readonly #deps: OpenLoopMotionDeps;
  #mode: Mode | undefined;
  #timer: Cancel = () => undefined;
  #lastStepMs = 0;
  #travel: Travel = { mm: 0, ddeg: 0 };
  #sent: Speeds = ZERO;
  /** The planned speeds before they were rounded to the board's speed steps. */
  #planned: Speeds = ZERO;

  constructor(deps: OpenLoopMotionDeps) {
    this.#deps = deps;
  }

  get phase(): 'idle' | 'running' | 'stopping' {
    if (!this.#mode) return 'idle';
    return this.#mode.kind === 'brake' ? 'stopping' : 'running';
  }

  /** Travel in the current or last motion, estimated from the commanded speeds and the elapsed time. */
  get travel(): Travel {
    return this.#travel;
  }

  get speeds(): Speeds {
    return this.#sent;
  }

  start(plan: MotionPlan): void {
    this.#begin({ kind: 'plan', plan });
  }

  /** Accelerates to a speed and maintains it for `leaseMs`; another call renews the lease. */
  jog(target: Speeds, leaseMs: number): void {
    const { clock, wheels } = this.#deps;
    const mode: Mode = { kind: 'jog', target: wheels.within(target), untilMs: clock.now() + leaseMs };
    if (this.#mode) this.#mode = mode;
    else this.#begin(mode);
  }

  /** Sends the first reduced speed before returning. */
  brake(end: OpenLoopEnd): void {
    if (this.phase !== 'running') return;
    this.#mode = { kind: 'brake', end };
    if (this.#integrate() >= this.#deps.watchdogMs) return this.#end('late');
    this.#planned = {
      mmps: lower(this.#planned.mmps, this.#sent.mmps),
      ddegps: lower(this.#planned.ddegps, this.#sent.ddegps),
    };
    // Braking starts with this call: the time before the call does not count as braking time, and the timer
    // restarts, so that the next step follows after a complete step interval.
    this.#startTimer();
    this.#approach(ZERO, end, STEP_MS);
  }

  /** Ends the motion without notifying the board or the caller. */
  halt(): void {
    if (this.#mode) this.#integrate();
    this.#mode = undefined;
    this.#timer();
    this.#sent = ZERO;
    this.#planned = ZERO;
  }

  #begin(mode: Mode): void {
    this.#mode = mode;
    this.#travel = { mm: 0, ddeg: 0 };
    this.#lastStepMs = this.#deps.clock.now();
    this.#startTimer();
    this.#step();
  }

  #startTimer(): void {
    this.#timer();
    this.#timer = this.#deps.clock.every(STEP_MS, () => this.#step());
  }

  #step(): void {
    const mode = this.#mode;
    if (!mode) return;
    const elapsedMs = this.#integrate();
    if (elapsedMs >= this.#deps.watchdogMs) return this.#end('late');
    switch (mode.kind) {
      case 'plan':
        return this.#follow(mode.plan);
      case 'jog':
        if (this.#deps.clock.now() >= mode.untilMs) return this.brake('cancelled');
        return this.#approach(mode.target, 'finished', elapsedMs);
      case 'brake':
        return this.#approach(ZERO, mode.end, elapsedMs);
      default:
        never(mode);
    }
  }

  #integrate(): number {
    const now = this.#deps.clock.now();
    const elapsedMs = now - this.#lastStepMs;
    this.#lastStepMs = now;
    const seconds = Math.min(elapsedMs, this.#deps.watchdogMs) / 1000;
    const { mm, ddeg } = this.#travel;
    this.#travel = { mm: mm + this.#sent.mmps * seconds, ddeg: ddeg + this.#sent.ddegps * seconds };
    return elapsedMs;
  }

  #follow({ goal, maxSpeedMmps }: MotionPlan): void {
    const { wheels } = this.#deps;
    const { slowest } = wheels;
    const { mm, ddeg } = this.#travel;
    const turn = towards(goal.ddeg, ddeg, this.#planned.ddegps, wheels.turn(), slowest.ddegps);
    if (turn) return this.#set({ mmps: 0, ddegps: turn.speed }, { mmps: 0, ddegps: turn.planned });
    const run = towards(goal.mm, mm, this.#planned.mmps, wheels.run(maxSpeedMmps), slowest.mmps);
    if (run) return this.#set({ mmps: run.speed, ddegps: 0 }, { mmps: run.planned, ddegps: 0 });
    this.#end('finished');
  }

  /** Changes the speed within the acceleration limits; the motion ends when speed and target are zero. */
  #approach(target: Speeds, end: OpenLoopEnd, elapsedMs: number): void {
    const { wheels } = this.#deps;
    const next = {
      mmps: approached(this.#planned.mmps, target.mmps, wheels.run(wheels.fullMmps), elapsedMs),
      ddegps: approached(this.#planned.ddegps, target.ddegps, wheels.turn(), elapsedMs),
    };
    const isZero = ({ mmps, ddegps }: Speeds): boolean => mmps === 0 && ddegps === 0;
    if (isZero(next) && isZero(target)) this.#end(end);
    else this.#set(next);
  }

  #set(next: Speeds, planned = next): void {
    const { wheels, set } = this.#deps;
    const steps = wheels.steps(next);
    this.#planned = planned;
    this.#sent = wheels.speeds(steps);
    set(steps);
  }

  #end(end: OpenLoopEnd): void {
    this.halt();
    this.#deps.onEnd(end);
  }
}

/**
 * Returns the speed for the next step towards `goal`, as a multiple of `slowest`, and the planned speed before
 * rounding; undefined if the goal is reached to within half a speed step. After a late step, the cart brakes
 * harder rather than driving beyond the goal.
 */
function towards(
  goal: number,
  travelled: number,
  planned: number,
  { max, accel, decel }: AxisLimits,
  slowest: number,
): { speed: number; planned: number } | undefined {
  const direction = Math.sign(goal);
  const left = (goal - travelled) * direction;
  // If the cart has passed the goal, the motion ends, because the wheels must not reverse to correct an estimate.
  if (Math.round(left / STEP_S / slowest) <= 0) return undefined;
  const ceiling = Math.max(slowest, Math.min(max, Math.abs(planned) + accel * STEP_S));
  const wanted = Math.min(ceiling, brakingSpeed(left, decel, STEP_S), left / STEP_S);
  const steps = Math.min(Math.round(wanted / slowest), Math.floor(ceiling / slowest + ROUNDING));
  return { speed: direction * Math.max(1, steps) * slowest, planned: direction * wanted };
}

/**
 * Returns the next speed. A late step slows the cart down for all the time that has passed, but accelerates it for
 * one step only. A speed that reverses passes through zero.
 */
function approached(speed: number, target: number, { accel, decel }: AxisLimits, elapsedMs: number): number {
  const changes = { accel: accel * STEP_S, decel: (decel * Math.max(STEP_MS, elapsedMs)) / 1000 };
  return approach(speed, target * speed < 0 ? 0 : target, changes, 1);
}

/** Returns the speed with the lower magnitude. */
function lower(one: number, other: number): number {
  return Math.abs(one) < Math.abs(other) ? one : other;
}

import { never } from '../../../shared/errors.js';
import { approach } from '../../../shared/motion-profile.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import type { MotionPlan, Travel } from './motion-plan.js';
import type { Speeds, Steps, Wheels } from './wheels.js';

const STEP_MS = 50;
const ZERO: Speeds = { mmps: 0, ddegps: 0 };

/** `late` means that the board's watchdog stopped the cart while the process was suspended. */
export type MotionEnd = 'finished' | 'cancelled' | 'late';

interface OpenLoopMotionDeps {
  clock: Clock;
  wheels: Wheels;
  /** The board stops by itself after this many ms of silence. */
  watchdogMs: number;
  set: (steps: Steps) => void;
  /** Called when a motion ends; must stop the board. */
  onEnd: (end: MotionEnd) => void;
}

type Mode =
  | { kind: 'plan'; plan: MotionPlan; startMs: number }
  | { kind: 'jog'; target: Speeds; untilMs: number }
  | { kind: 'brake'; end: MotionEnd };

/**
 * Executes motions on a board that has no feedback. Errors from rounding to 127 speed levels and from late
 * timers are corrected in the next step.
 */
export class OpenLoopMotion {
  readonly #deps: OpenLoopMotionDeps;
  #mode: Mode | undefined;
  #timer: Cancel = () => undefined;
  #lastStepMs = 0;
  #travel: Travel = { mm: 0, ddeg: 0 };
  #sent: Speeds = ZERO;
  #unrounded: Speeds = ZERO;

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
    this.#begin({ kind: 'plan', plan, startMs: this.#deps.clock.now() });
  }

  /** Accelerates to a speed and maintains it for `leaseMs`; another call renews the lease. */
  jog(target: Speeds, leaseMs: number): void {
    const { clock, wheels } = this.#deps;
    const mode: Mode = { kind: 'jog', target: wheels.within(target), untilMs: clock.now() + leaseMs };
    if (this.#mode) this.#mode = mode;
    else this.#begin(mode);
  }

  /** Sends the first reduced speed before returning. */
  brake(end: MotionEnd): void {
    if (this.phase !== 'running') return;
    this.#mode = { kind: 'brake', end };
    this.#step();
  }

  /** Ends the motion without notifying the board or the caller. */
  halt(): void {
    if (this.#mode) this.#integrate();
    this.#mode = undefined;
    this.#timer();
    this.#sent = ZERO;
    this.#unrounded = ZERO;
  }

  #begin(mode: Mode): void {
    this.#mode = mode;
    this.#travel = { mm: 0, ddeg: 0 };
    this.#lastStepMs = this.#deps.clock.now();
    this.#timer();
    this.#timer = this.#deps.clock.every(STEP_MS, () => this.#step());
    this.#step();
  }

  #step(): void {
    const mode = this.#mode;
    if (!mode) return;
    if (this.#integrate() >= this.#deps.watchdogMs) return this.#end('late');
    switch (mode.kind) {
      case 'plan':
        return this.#follow(mode.plan, mode.startMs);
      case 'jog':
        if (this.#deps.clock.now() >= mode.untilMs) return this.brake('cancelled');
        return this.#approach(mode.target, 'finished');
      case 'brake':
        return this.#approach(ZERO, mode.end);
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

  #follow(plan: MotionPlan, startMs: number): void {
    const ms = this.#deps.clock.now() - startMs;
    if (ms >= plan.durationMs) return this.#end('finished');
    const goal = plan.at(ms + STEP_MS);
    const perSecond = 1000 / STEP_MS;
    this.#set({
      mmps: forward(goal.mm, goal.mm - this.#travel.mm) * perSecond,
      ddegps: forward(goal.ddeg, goal.ddeg - this.#travel.ddeg) * perSecond,
    });
  }

  /** Changes the speed within the acceleration limits; the motion ends when speed and target are zero. */
  #approach(target: Speeds, end: MotionEnd): void {
    const { wheels } = this.#deps;
    const next = {
      mmps: approach(this.#unrounded.mmps, target.mmps, wheels.run(wheels.fullMmps), STEP_MS / 1000),
      ddegps: approach(this.#unrounded.ddegps, target.ddegps, wheels.turn(), STEP_MS / 1000),
    };
    const isZero = ({ mmps, ddegps }: Speeds): boolean => mmps === 0 && ddegps === 0;
    if (isZero(next) && isZero(target)) this.#end(end);
    else this.#set(next);
  }

  #set(next: Speeds): void {
    const { wheels, set } = this.#deps;
    const steps = wheels.steps(next);
    this.#unrounded = next;
    this.#sent = wheels.speeds(steps);
    set(steps);
  }

  #end(end: MotionEnd): void {
    this.halt();
    this.#deps.onEnd(end);
  }
}

/** Zero if the signs differ: the wheels must not reverse to correct a rounding error. */
function forward(goal: number, remainder: number): number {
  return remainder * goal > 0 ? remainder : 0;
}

import { never } from '../../../shared/errors.js';
import { approach } from '../../../shared/motion-profile.js';
import type { Cancel, Clock } from '../../../shared/ports/clock.js';
import type { MotionPlan, Travel } from './motion-plan.js';
import type { Speeds, Steps, Wheels } from './wheels.js';

/** How often a new speed is sent: at most this long a speed stands that nobody has looked at again. */
const STEP_MS = 50;
const STANDING: Speeds = { mmps: 0, ddegps: 0 };

/** How a motion came to its end. `late`: this process did not run for so long that the board has stopped by itself. */
export type MotionEnd = 'finished' | 'cancelled' | 'late';

interface TimedMotionDeps {
  clock: Clock;
  wheels: Wheels;
  /** The board stops by itself after this much silence, ms. */
  patienceMs: number;
  set: (steps: Steps) => void;
  /** Called with the wheels told to stand next: the caller says so to the board. */
  onEnd: (end: MotionEnd) => void;
}

type Mode =
  | { kind: 'plan'; plan: MotionPlan; startMs: number }
  | { kind: 'jog'; target: Speeds; untilMs: number }
  | { kind: 'brake'; end: MotionEnd };

/**
 * Drives a cart whose board takes speeds and tells nothing: turn, then way, each a trapezoid in time. A speed has 127
 * steps; what rounding and late timers take from one step is given to the next, so that the sum is right.
 */
export class OpenLoopMotion {
  readonly #deps: TimedMotionDeps;
  #mode: Mode | undefined;
  #timer: Cancel = () => undefined;
  #steppedMs = 0;
  #way: Travel = { mm: 0, ddeg: 0 };
  #sent: Speeds = STANDING;
  /** Before rounding. */
  #wanted: Speeds = STANDING;

  constructor(deps: TimedMotionDeps) {
    this.#deps = deps;
  }

  get phase(): 'standing' | 'running' | 'stopping' {
    if (!this.#mode) return 'standing';
    return this.#mode.kind === 'brake' ? 'stopping' : 'running';
  }

  /** Of this motion, or of the last one: what was commanded, for as long as it stood. No sensor says so. */
  get way(): Travel {
    return this.#way;
  }

  /** What the board was told last. */
  get speeds(): Speeds {
    return this.#sent;
  }

  start(plan: MotionPlan): void {
    this.#begin({ kind: 'plan', plan, startMs: this.#deps.clock.now() });
  }

  /** Speeds up to a speed and holds it for `leaseMs`; called again, it renews. */
  jog(target: Speeds, leaseMs: number): void {
    const { clock, wheels } = this.#deps;
    const mode: Mode = { kind: 'jog', target: wheels.within(target), untilMs: clock.now() + leaseMs };
    if (this.#mode) this.#mode = mode;
    else this.#begin(mode);
  }

  /** Ramps down from the present speed: the first lower speed is sent before this returns. */
  brake(end: MotionEnd): void {
    if (this.phase !== 'running') return;
    this.#mode = { kind: 'brake', end };
    this.#step();
  }

  /** Ends the motion without a word to the board or the caller. */
  halt(): void {
    if (this.#mode) this.#account();
    this.#mode = undefined;
    this.#timer();
    this.#sent = STANDING;
    this.#wanted = STANDING;
  }

  #begin(mode: Mode): void {
    this.#mode = mode;
    this.#way = { mm: 0, ddeg: 0 };
    this.#steppedMs = this.#deps.clock.now();
    this.#timer();
    this.#timer = this.#deps.clock.every(STEP_MS, () => this.#step());
    this.#step();
  }

  #step(): void {
    const mode = this.#mode;
    if (!mode) return;
    if (this.#account() >= this.#deps.patienceMs) return this.#end('late');
    switch (mode.kind) {
      case 'plan':
        return this.#follow(mode.plan, mode.startMs);
      case 'jog':
        if (this.#deps.clock.now() >= mode.untilMs) return this.brake('cancelled');
        return this.#approach(mode.target, 'finished');
      case 'brake':
        return this.#approach(STANDING, mode.end);
      default:
        never(mode);
    }
  }

  /** Adds the way that the last speed has made; answers how long it stood, in ms. */
  #account(): number {
    const now = this.#deps.clock.now();
    const elapsedMs = now - this.#steppedMs;
    this.#steppedMs = now;
    const seconds = Math.min(elapsedMs, this.#deps.patienceMs) / 1000;
    const { mm, ddeg } = this.#way;
    this.#way = { mm: mm + this.#sent.mmps * seconds, ddeg: ddeg + this.#sent.ddegps * seconds };
    return elapsedMs;
  }

  #follow(plan: MotionPlan, startMs: number): void {
    const ms = this.#deps.clock.now() - startMs;
    if (ms >= plan.durationMs) return this.#end('finished');
    const goal = plan.at(ms + STEP_MS);
    const perSecond = 1000 / STEP_MS;
    this.#set({
      mmps: forward(goal.mm, goal.mm - this.#way.mm) * perSecond,
      ddegps: forward(goal.ddeg, goal.ddeg - this.#way.ddeg) * perSecond,
    });
  }

  /** Changes the speed as fast as the limits allow; at rest, and meant to rest, the motion has come to its end. */
  #approach(target: Speeds, end: MotionEnd): void {
    const { wheels } = this.#deps;
    const wanted = {
      mmps: approach(this.#wanted.mmps, target.mmps, wheels.run(wheels.fullMmps), STEP_MS / 1000),
      ddegps: approach(this.#wanted.ddegps, target.ddegps, wheels.turn(), STEP_MS / 1000),
    };
    const isRest = ({ mmps, ddegps }: Speeds): boolean => mmps === 0 && ddegps === 0;
    if (isRest(wanted) && isRest(target)) this.#end(end);
    else this.#set(wanted);
  }

  #set(wanted: Speeds): void {
    const { wheels, set } = this.#deps;
    const steps = wheels.steps(wanted);
    this.#wanted = wanted;
    this.#sent = wheels.speeds(steps);
    set(steps);
  }

  #end(end: MotionEnd): void {
    this.halt();
    this.#deps.onEnd(end);
  }
}

/** A rest that would go backwards is left to later: no wheel turns back for a rounding. */
function forward(goal: number, rest: number): number {
  return rest * goal > 0 ? rest : 0;
}

import { type AxisLimits, approach } from '../../shared/motion-profile.js';
import {
  type Jog,
  type Limits,
  type Move,
  type SimulatedEnd,
  turnRateDdegps2,
} from '../controller/motions.js';
import type { Chassis } from './physics.js';

const DDEG_PER_RAD = 1800 / Math.PI;
const MIN_SPEED = 1e-6;

interface MotionControllerDeps {
  chassis: Chassis;
  /** The controller's own limits, which also apply until `limits` is set. */
  configured: Limits;
  onStarted: (wireId: number) => void;
  /** Called when the cart is stationary after a motion. */
  onEnded: (wireId: number, ending: SimulatedEnd) => void;
}

type Motion =
  | { kind: 'move'; command: Move; untilMs: number }
  | { kind: 'jog'; command: Jog; untilMs: number };

/** Executes one motion at a time, from standstill to standstill. */
export class MotionController {
  readonly #deps: MotionControllerDeps;
  readonly #run = new Axis();
  readonly #turn = new Axis();
  #limits: Limits;
  /** The highest deceleration that has been permitted since the motion started. */
  #decelMmps2: number;
  #motion: Motion | undefined;
  #ending: SimulatedEnd | undefined;

  constructor(deps: MotionControllerDeps) {
    this.#deps = deps;
    this.#limits = deps.configured;
    this.#decelMmps2 = deps.configured.decelMmps2;
  }

  get limits(): Limits {
    return this.#limits;
  }

  /** New limits do not reduce the deceleration of the current motion. */
  set limits(limits: Limits) {
    this.#limits = limits;
    this.#decelMmps2 = Math.max(this.#decelMmps2, limits.decelMmps2);
  }

  /** Deceleration of the wheels when the current motion, or the next one, is stopped. */
  get decelMmps2(): number {
    return this.#motion ? this.#decelMmps2 : this.#limits.decelMmps2;
  }

  get phase(): 'idle' | 'running' | 'stopping' {
    if (!this.#motion) return 'idle';
    return this.#ending ? 'stopping' : 'running';
  }

  get kind(): 'move' | 'jog' | undefined {
    return this.#motion?.kind;
  }

  /** The running motion's ID, or 0. */
  get wireId(): number {
    return this.#motion?.command.wireId ?? 0;
  }

  /** Progress of the running or the last motion. */
  get progress(): { mm: number; ddeg: number; speedMmps: number; omegaDdegps: number } {
    const [run, turn] = [this.#run, this.#turn];
    return { mm: run.position, ddeg: turn.position, speedMmps: run.speed, omegaDdegps: turn.speed };
  }

  move(command: Move, nowMs: number): void {
    const durationMs = command.maxDurationMs || this.#maxDurationMs(command);
    this.#begin({ kind: 'move', command, untilMs: nowMs + durationMs });
  }

  /** Starts, replaces or renews a jog. */
  jog(command: Jog, nowMs: number): void {
    const motion: Motion = { kind: 'jog', command, untilMs: nowMs + command.leaseMs };
    const running = this.#motion?.command.wireId;
    if (running === command.wireId) this.#motion = motion;
    else {
      if (running !== undefined) this.#deps.onEnded(running, { event: 'cancelled', reason: 'superseded' });
      this.#begin(motion);
    }
  }

  /** Decelerates to a standstill. Repeated calls do not change the reason. */
  ramp(ending: SimulatedEnd): void {
    if (this.#motion) this.#ending ??= ending;
  }

  cut(ending: SimulatedEnd): void {
    this.#run.halt();
    this.#turn.halt();
    this.#end(this.#ending ?? ending);
  }

  step(nowMs: number, dtS: number, stalled: boolean): void {
    const motion = this.#motion;
    if (!motion) return;
    if (nowMs >= motion.untilMs) this.ramp(timeoutOf(motion.kind));
    if (stalled) this.#hold();
    else this.#go(motion, dtS);
  }

  #begin(motion: Motion): void {
    this.#motion = motion;
    this.#ending = undefined;
    this.#decelMmps2 = this.#limits.decelMmps2;
    this.#run.restart();
    this.#turn.restart();
    this.#deps.onStarted(motion.command.wireId);
  }

  #hold(): void {
    this.#run.halt();
    this.#turn.halt();
    if (this.#ending) this.#end(this.#ending);
  }

  #go(motion: Motion, dtS: number): void {
    const { run, turn } = this.#axisLimits(motion);
    let [distance, angle] = [0, 0];
    const goal = this.#ending ? STANDSTILL : motion.kind === 'jog' ? motion.command : undefined;
    if (goal) {
      const { speedMmps, omegaDdegps } = goal;
      distance = this.#run.at(speedMmps, run, dtS);
      angle = this.#turn.at(omegaDdegps, turn, dtS);
    } else if (motion.kind === 'move') {
      const { angleDdeg, distanceMm } = motion.command;
      if (this.#turn.position !== angleDdeg) angle = this.#turn.toward(angleDdeg, turn, dtS);
      else distance = this.#run.toward(distanceMm, run, dtS);
    }
    this.#deps.chassis.drive(distance, angle / DDEG_PER_RAD);
    this.#endWhenDone(motion);
  }

  #endWhenDone(motion: Motion): void {
    if (Math.abs(this.#run.speed) > MIN_SPEED || Math.abs(this.#turn.speed) > MIN_SPEED) return;
    if (this.#ending) return this.#end(this.#ending);
    const isReached =
      motion.kind === 'move'
        ? this.#run.position === motion.command.distanceMm && this.#turn.position === motion.command.angleDdeg
        : motion.command.speedMmps === 0 && motion.command.omegaDdegps === 0;
    if (isReached) this.#end({ event: 'finished', reason: 'none' });
  }

  #end(ending: SimulatedEnd): void {
    const motion = this.#motion;
    this.#motion = undefined;
    this.#ending = undefined;
    if (motion) this.#deps.onEnded(motion.command.wireId, ending);
  }

  #axisLimits(motion: Motion): { run: AxisLimits; turn: AxisLimits } {
    const { maxSpeedMmps, accelMmps2, omegaMaxDdegps } = this.#limits;
    const max = motion.kind === 'move' ? Math.min(maxSpeedMmps, motion.command.maxSpeedMmps) : maxSpeedMmps;
    const turnRate = turnRateDdegps2(this.#deps.configured);
    return {
      run: { max, accel: accelMmps2, decel: this.#decelMmps2 },
      turn: { max: omegaMaxDdegps, accel: turnRate, decel: turnRate },
    };
  }

  #maxDurationMs({ distanceMm, angleDdeg, maxSpeedMmps }: Move): number {
    const limits = this.#limits;
    const driveS = Math.abs(distanceMm) / Math.min(maxSpeedMmps, limits.maxSpeedMmps);
    const turnS = Math.abs(angleDdeg) / limits.omegaMaxDdegps;
    return 1500 * (driveS + turnS) + 2000;
  }
}

const STANDSTILL = { speedMmps: 0, omegaDdegps: 0 };

function timeoutOf(kind: Motion['kind']): SimulatedEnd {
  return kind === 'jog' ? { event: 'cancelled', reason: 'lease' } : { event: 'failed', reason: 'tooLong' };
}

/** One axis with a trapezoidal speed profile, in mm or in tenths of a degree. */
class Axis {
  /** Signed, relative to the start of the motion. */
  position = 0;
  /** Signed speed in units of `position` per second. */
  speed = 0;

  /** Keeps the speed, because a jog may replace another jog. */
  restart(): void {
    this.position = 0;
  }

  /** Advances one step towards `goal`, which the axis reaches at speed 0. Returns the distance covered. */
  toward(goal: number, limits: AxisLimits, dtS: number): number {
    const left = goal - this.position;
    const braking = Math.sqrt(2 * limits.decel * Math.abs(left));
    // If a LIMITS frame has lowered the maximum speed, the axis decelerates to the new maximum.
    const max = Math.max(limits.max, Math.abs(this.speed) - limits.decel * dtS);
    const speed = Math.min(Math.abs(this.speed) + limits.accel * dtS, max, braking);
    if (speed * dtS >= Math.abs(left)) {
      // Sets the position to the exact goal, so that rounding errors do not accumulate.
      this.position = goal;
      this.speed = 0;
      return left;
    }
    return this.#go(Math.sign(left) * speed, dtS);
  }

  /** Advances one step and changes the speed towards `target`. Returns the distance covered. */
  at(target: number, limits: AxisLimits, dtS: number): number {
    const goal = Math.max(-limits.max, Math.min(limits.max, target));
    return this.#go(approach(this.speed, goal, limits, dtS), dtS);
  }

  halt(): void {
    this.speed = 0;
  }

  #go(speed: number, dtS: number): number {
    this.speed = speed;
    this.position += speed * dtS;
    return speed * dtS;
  }
}

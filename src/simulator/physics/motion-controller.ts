import { type AxisLimits, approach } from '../../shared/motion-profile.js';
import type { Ending, Jog, Limits, Move } from '../controller/orders.js';
import type { Body } from './physics.js';

const DDEG_PER_RAD = 1800 / Math.PI;
/** Speeds under this are standstill: less than the wheels can show. */
const STILL = 1e-6;

interface DriveDeps {
  body: Body;
  limits: () => Limits;
  onStarted: (wireId: number) => void;
  /** The cart stands, and the motion is over. */
  onEnded: (wireId: number, ending: Ending) => void;
}

type Motion = { kind: 'move'; order: Move; untilMs: number } | { kind: 'jog'; order: Jog; untilMs: number };

/** The motion controller: one motion at a time, from standstill to standstill. Time is handed in. */
export class Chassis {
  readonly #deps: DriveDeps;
  readonly #run = new Axis();
  readonly #turn = new Axis();
  #motion: Motion | undefined;
  #ending: Ending | undefined;

  constructor(deps: DriveDeps) {
    this.#deps = deps;
  }

  get phase(): 'standing' | 'running' | 'stopping' {
    if (!this.#motion) return 'standing';
    return this.#ending ? 'stopping' : 'running';
  }

  get kind(): 'move' | 'jog' | undefined {
    return this.#motion?.kind;
  }

  /** The motion that runs; 0 = none. */
  get wireId(): number {
    return this.#motion?.order.wireId ?? 0;
  }

  /** Of this motion, or of the last one. */
  get progress(): { mm: number; ddeg: number; speedMmps: number; omegaDdegps: number } {
    const [run, turn] = [this.#run, this.#turn];
    return { mm: run.position, ddeg: turn.position, speedMmps: run.speed, omegaDdegps: turn.speed };
  }

  move(order: Move, nowMs: number): void {
    this.#begin({ kind: 'move', order, untilMs: nowMs + (order.maxDurationMs || this.#ownBoundMs(order)) });
  }

  /** Starts a jog, takes over from another one, or renews it. */
  jog(order: Jog, nowMs: number): void {
    const motion: Motion = { kind: 'jog', order, untilMs: nowMs + order.leaseMs };
    const running = this.#motion?.order.wireId;
    if (running === order.wireId) this.#motion = motion;
    else {
      if (running !== undefined) this.#deps.onEnded(running, { event: 'cancelled', reason: 'superseded' });
      this.#begin(motion);
    }
  }

  /** Slows down to standstill, then ends the motion; the first reason stays. */
  ramp(ending: Ending): void {
    if (this.#motion) this.#ending ??= ending;
  }

  /** Ends the motion where it is: the power is off. */
  cut(ending: Ending): void {
    this.#run.halt();
    this.#turn.halt();
    this.#end(this.#ending ?? ending);
  }

  /** One control tick. `stalled`: the wheels do not turn, whatever they are told. */
  step(nowMs: number, dtS: number, stalled: boolean): void {
    const motion = this.#motion;
    if (!motion) return;
    if (nowMs >= motion.untilMs) this.ramp(timeUp(motion.kind));
    if (stalled) this.#hold();
    else this.#go(motion, dtS);
  }

  #begin(motion: Motion): void {
    this.#motion = motion;
    this.#ending = undefined;
    this.#run.restart();
    this.#turn.restart();
    this.#deps.onStarted(motion.order.wireId);
  }

  #hold(): void {
    this.#run.halt();
    this.#turn.halt();
    if (this.#ending) this.#end(this.#ending);
  }

  #go(motion: Motion, dtS: number): void {
    const { run, turn } = this.#axisLimits(motion);
    let [way, angle] = [0, 0];
    const goal = this.#ending ? STAND : motion.kind === 'jog' ? motion.order : undefined;
    if (goal) {
      const { speedMmps, omegaDdegps } = goal;
      way = this.#run.at(speedMmps, run, dtS);
      angle = this.#turn.at(omegaDdegps, turn, dtS);
    } else if (motion.kind === 'move') {
      const { angleDdeg, distanceMm } = motion.order;
      if (this.#turn.position !== angleDdeg) angle = this.#turn.toward(angleDdeg, turn, dtS);
      else way = this.#run.toward(distanceMm, run, dtS);
    }
    this.#deps.body.drive(way, angle / DDEG_PER_RAD);
    this.#endWhenDone(motion);
  }

  #endWhenDone(motion: Motion): void {
    if (Math.abs(this.#run.speed) > STILL || Math.abs(this.#turn.speed) > STILL) return;
    if (this.#ending) return this.#end(this.#ending);
    const there =
      motion.kind === 'move'
        ? this.#run.position === motion.order.distanceMm && this.#turn.position === motion.order.angleDdeg
        : motion.order.speedMmps === 0 && motion.order.omegaDdegps === 0;
    if (there) this.#end({ event: 'finished', reason: 'none' });
  }

  #end(ending: Ending): void {
    const motion = this.#motion;
    this.#motion = undefined;
    this.#ending = undefined;
    if (motion) this.#deps.onEnded(motion.order.wireId, ending);
  }

  /** A turn in place is as fast as its wheels: LIMITS speaks of wheels. */
  #axisLimits(motion: Motion): { run: AxisLimits; turn: AxisLimits } {
    const { maxSpeedMmps, accelMmps2, decelMmps2, omegaMaxDdegps } = this.#deps.limits();
    const max = motion.kind === 'move' ? Math.min(maxSpeedMmps, motion.order.maxSpeedMmps) : maxSpeedMmps;
    const turnPerMm = DDEG_PER_RAD / (this.#deps.body.trackMm / 2);
    return {
      run: { max, accel: accelMmps2, decel: decelMmps2 },
      turn: { max: omegaMaxDdegps, accel: accelMmps2 * turnPerMm, decel: decelMmps2 * turnPerMm },
    };
  }

  #ownBoundMs({ distanceMm, angleDdeg, maxSpeedMmps }: Move): number {
    const limits = this.#deps.limits();
    const driveS = Math.abs(distanceMm) / Math.min(maxSpeedMmps, limits.maxSpeedMmps);
    const turnS = Math.abs(angleDdeg) / limits.omegaMaxDdegps;
    return 1500 * (driveS + turnS) + 2000;
  }
}

const STAND = { speedMmps: 0, omegaDdegps: 0 };

function timeUp(kind: Motion['kind']): Ending {
  return kind === 'jog' ? { event: 'cancelled', reason: 'lease' } : { event: 'failed', reason: 'tooLong' };
}

/** One degree of freedom with a trapezoid speed profile: millimetres along the cart, or tenths of a degree of its turn. */
class Axis {
  /** Since the motion began, signed. */
  position = 0;
  /** Per second, signed. */
  speed = 0;

  /** Begins a new motion from here. A running speed is kept: a jog may follow a jog. */
  restart(): void {
    this.position = 0;
  }

  /** One step towards `goal`, from standstill to standstill; answers the way made. At the goal the speed is 0. */
  toward(goal: number, limits: AxisLimits, dtS: number): number {
    const left = goal - this.position;
    const braking = Math.sqrt(2 * limits.decel * Math.abs(left));
    const speed = Math.min(Math.abs(this.speed) + limits.accel * dtS, limits.max, braking);
    if (speed * dtS >= Math.abs(left)) {
      // Exactly the goal, so that rounding never adds up.
      this.position = goal;
      this.speed = 0;
      return left;
    }
    return this.#go(Math.sign(left) * speed, dtS);
  }

  /** One step with the speed on its way to `target`; answers the way made. */
  at(target: number, limits: AxisLimits, dtS: number): number {
    const goal = Math.max(-limits.max, Math.min(limits.max, target));
    return this.#go(approach(this.speed, goal, limits, dtS), dtS);
  }

  /** Stands at once: the brake is on, or the wheels are held. */
  halt(): void {
    this.speed = 0;
  }

  #go(speed: number, dtS: number): number {
    this.speed = speed;
    this.position += speed * dtS;
    return speed * dtS;
  }
}

import { type AxisLimits, approach } from '../../shared/motion-profile.js';

/** One degree of freedom with a trapezoid speed profile: millimetres along the cart, or tenths of a degree of its turn. */
export class Axis {
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

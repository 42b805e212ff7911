/** `max` in units per second; `accel` and `decel` in units per second squared. */
export interface AxisLimits {
  max: number;
  accel: number;
  decel: number;
}

export interface Profile {
  durationMs: number;
  /** Returns the signed distance at time `ms`: 0 before the start, the total distance after the end. */
  at(ms: number): number;
}

/** Returns a motion profile that starts and ends at rest; it is triangular if full speed is not reached. */
export function trapezoid(distance: number, { max, accel, decel }: AxisLimits): Profile {
  const length = Math.abs(distance);
  const peak = Math.min(max, Math.sqrt((2 * length * accel * decel) / (accel + decel)));
  const upS = peak / accel;
  const downS = peak / decel;
  const cruiseS = length === 0 ? 0 : (length - (peak * (upS + downS)) / 2) / peak;
  const totalS = upS + cruiseS + downS;
  const done = (s: number): number => {
    if (s <= 0) return 0;
    if (s >= totalS) return length;
    if (s < upS) return (accel * s * s) / 2;
    if (s < upS + cruiseS) return peak * (s - upS / 2);
    return length - (decel * (totalS - s) ** 2) / 2;
  };
  return { durationMs: totalS * 1000, at: (ms) => Math.sign(distance) * done(ms / 1000) };
}

/**
 * Returns the highest speed for the next `stepS` seconds that still lets the axis stop within `distance`, if its
 * speed then falls by `decel * stepS` at every step.
 */
export function brakingSpeed(distance: number, decel: number, stepS: number): number {
  const half = (decel * stepS) / 2;
  return Math.sqrt(half * half + 2 * decel * distance) - half;
}

/** Returns the speed after `dtS` seconds. `decel` applies to braking and reversing. */
export function approach(speed: number, goal: number, limits: Omit<AxisLimits, 'max'>, dtS: number): number {
  const isBraking = Math.abs(goal) < Math.abs(speed) || goal * speed < 0;
  const change = (isBraking ? limits.decel : limits.accel) * dtS;
  return speed + Math.max(-change, Math.min(change, goal - speed));
}

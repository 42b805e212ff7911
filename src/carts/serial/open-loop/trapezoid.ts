/** What one axis may do, in its own unit a second and a second squared. */
export interface AxisLimits {
  max: number;
  accel: number;
  decel: number;
}

/** A motion as a function of time. */
interface Course {
  durationMs: number;
  /** The signed way made after `ms`: 0 before the start, all of it after the end. */
  at(ms: number): number;
}

/** From rest to rest: speed up, drive, slow down, or a triangle when the way is too short to reach full speed. */
export function trapezoid(way: number, { max, accel, decel }: AxisLimits): Course {
  const length = Math.abs(way);
  const peak = Math.min(max, Math.sqrt((2 * length * accel * decel) / (accel + decel)));
  const upS = peak / accel;
  const downS = peak / decel;
  const cruiseS = length === 0 ? 0 : (length - (peak * (upS + downS)) / 2) / peak;
  const totalS = upS + cruiseS + downS;
  const made = (s: number): number => {
    if (s <= 0) return 0;
    if (s >= totalS) return length;
    if (s < upS) return (accel * s * s) / 2;
    if (s < upS + cruiseS) return peak * (s - upS / 2);
    return length - (decel * (totalS - s) ** 2) / 2;
  };
  return { durationMs: totalS * 1000, at: (ms) => Math.sign(way) * made(ms / 1000) };
}

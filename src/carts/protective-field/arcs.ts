import { countsFor } from '../serial/codec/field-rules.js';
import type { FieldView } from './model.js';

/** Direction of each bumper in degrees: 0 = straight ahead, positive = to the left. */
const BUMPER_DEG = { frontLeft: 45, frontRight: -45, rearLeft: 135, rearRight: -135 };
const BUMPER_WIDTH_DEG = 60;

export interface FieldArc {
  /** Centre of the arc: 0 = straight ahead, positive = to the left. */
  angleDeg: number;
  widthDeg: number;
  /** Distance from the cart; 0 for a pressed bumper. */
  rangeMm: number;
  /** True if the controller rejects motion in this direction. */
  isBlocked: boolean;
}

/** Sensors with the same direction share one arc, which shows the nearest obstacle. */
export function fieldArcs({ sensors, bumpers, blocked }: FieldView): FieldArc[] {
  const nearest = new Map<number, FieldArc>();
  for (const { angleDeg, fieldOfViewDeg, rangeMm, valid } of sensors) {
    const known = nearest.get(angleDeg);
    if (!valid || rangeMm === null || (known && known.rangeMm <= rangeMm)) continue;
    const isBlocked = blocked.some((direction) => countsFor(direction, angleDeg));
    nearest.set(angleDeg, { angleDeg, widthDeg: fieldOfViewDeg, rangeMm, isBlocked });
  }
  const pressed = bumpers.map((name) => ({
    angleDeg: BUMPER_DEG[name],
    widthDeg: BUMPER_WIDTH_DEG,
    rangeMm: 0,
    isBlocked: true,
  }));
  return [...nearest.values(), ...pressed];
}

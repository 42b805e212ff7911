import { type LatLong, PlanFrame, type PlanView } from '../../../../plan/pure.js';
import type { PlanPoint } from '../../../../site/pure.js';

/** Taps and drags are rounded to this, because a finger is less accurate. */
const STEP_MM = 10;

/** The floor plan on the map. */
export class PlanArea {
  readonly frame: PlanFrame;
  readonly #widthMm: number;
  readonly #heightMm: number;

  private constructor({ width, height }: PlanView, { bottomLeft, rotationDeg, metresPerPixel }: Placement) {
    this.frame = new PlanFrame(bottomLeft, rotationDeg);
    this.#widthMm = Math.floor(width * metresPerPixel * 1000);
    this.#heightMm = Math.floor(height * metresPerPixel * 1000);
  }

  /** Returns undefined if there is no floor plan with a scale. */
  static of(plan: PlanView | null): PlanArea | undefined {
    return plan?.placement ? new PlanArea(plan, plan.placement) : undefined;
  }

  toGlobe([xMm, yMm]: PlanPoint): [lat: number, long: number] {
    const { lat, long } = this.frame.toGlobe({ xMm, yMm });
    return [lat, long];
  }

  /** Returns the nearest point on the floor plan, because a tap beside its edge means the edge. */
  pointAt({ lat, lng }: { lat: number; lng: number }): PlanPoint {
    const place: LatLong = { lat, long: lng };
    const { xMm, yMm } = this.frame.toPlan(place);
    const within = (mm: number, max: number): number =>
      Math.min(max, Math.max(0, Math.round(mm / STEP_MM) * STEP_MM));
    return [within(xMm, this.#widthMm), within(yMm, this.#heightMm)];
  }
}

type Placement = NonNullable<PlanView['placement']>;

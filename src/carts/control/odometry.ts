import type { Pose, Telemetry } from '../command/model.js';

/** Where the cart is, from what its wheels report: metres walked are added up, so it drifts as every odometer does. */
export class Odometry {
  #trackMm: () => number;
  #last: Pick<Telemetry, 'odoLeftMm' | 'odoRightMm'> | undefined;
  #pose: Pose = { xMm: 0, yMm: 0, headingDeg: 0 };

  /** `trackMm`: distance between the left and the right wheel. */
  constructor(trackMm: () => number) {
    this.#trackMm = trackMm;
  }

  get pose(): Pose {
    return this.#pose;
  }

  /** The controller started anew and counts from zero again. */
  forget(): void {
    this.#last = undefined;
  }

  add({ odoLeftMm, odoRightMm }: Pick<Telemetry, 'odoLeftMm' | 'odoRightMm'>): void {
    const last = this.#last ?? { odoLeftMm, odoRightMm };
    this.#last = { odoLeftMm, odoRightMm };
    const [left, right] = [odoLeftMm - last.odoLeftMm, odoRightMm - last.odoRightMm];
    if (left === 0 && right === 0) return;
    const turnRad = (right - left) / this.#trackMm();
    const { xMm, yMm, headingDeg } = this.#pose;
    // Driving the chord at the middle heading is exact enough for steps of a tenth of a second.
    const middleRad = (headingDeg * Math.PI) / 180 + turnRad / 2;
    const stepMm = (left + right) / 2;
    this.#pose = {
      xMm: xMm + stepMm * Math.cos(middleRad),
      yMm: yMm + stepMm * Math.sin(middleRad),
      headingDeg: normal(headingDeg + (turnRad * 180) / Math.PI),
    };
  }
}

/** An angle in degrees, brought to -180 … 180. */
function normal(deg: number): number {
  return deg - 360 * Math.round(deg / 360);
}

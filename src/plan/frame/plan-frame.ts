import { positiveDegrees } from '../../shared/angles.js';
import { type LatLong, TangentPlane } from './geodesy.js';

/** A position on the floor plan: x to the right and y up, from its lower left corner. */
export interface PlanPoint {
  xMm: number;
  yMm: number;
}

/** An error ellipse that contains the position with this probability. */
export interface Ellipse {
  semiMajorM: number;
  semiMinorM: number;
  /** The major axis's direction in degrees clockwise from north, 0 <= bearing < 180. */
  bearingDeg: number;
  probability: number;
}

/** Returns the number of standard deviations per semi-axis of an ellipse with this probability. */
export function sigmasOf(probability: number): number {
  return Math.sqrt(-2 * Math.log(1 - probability));
}

/**
 * Converts between the floor plan and geographic positions. Without a floor plan, x points east and y north from the
 * origin.
 */
export class PlanFrame {
  readonly #plane: TangentPlane;
  /** Direction of the plan's x axis, counterclockwise from east. */
  readonly #xAxisRad: number;

  /** @param rotationDeg clockwise rotation of the floor plan; 0 if north is at its top. */
  constructor(corner: LatLong, rotationDeg = 0) {
    this.#plane = new TangentPlane([corner]);
    this.#xAxisRad = (-rotationDeg * Math.PI) / 180;
  }

  toGlobe({ xMm, yMm }: PlanPoint): LatLong {
    const [cos, sin] = [Math.cos(this.#xAxisRad), Math.sin(this.#xAxisRad)];
    return this.#plane.toGlobe({ x: (xMm * cos - yMm * sin) / 1000, y: (xMm * sin + yMm * cos) / 1000 });
  }

  toPlan(place: LatLong): PlanPoint {
    const { x, y } = this.#plane.toPlane(place);
    const [cos, sin] = [Math.cos(this.#xAxisRad), Math.sin(this.#xAxisRad)];
    return { xMm: (x * cos + y * sin) * 1000, yMm: (y * cos - x * sin) * 1000 };
  }

  /** Converts degrees counterclockwise from the plan's x axis to degrees clockwise from north, and back. */
  turned(deg: number): number {
    return positiveDegrees(90 - (this.#xAxisRad * 180) / Math.PI - deg);
  }

  /** Returns the covariance of x and y in mm². */
  covarianceOf({ semiMajorM, semiMinorM, bearingDeg, probability }: Ellipse): number[][] {
    const angle = (this.turned(bearingDeg) * Math.PI) / 180;
    const sigmas = sigmasOf(probability);
    const [major, minor] = [semiMajorM, semiMinorM].map((m) => ((m * 1000) / sigmas) ** 2);
    const [cos, sin, along, across] = [Math.cos(angle), Math.sin(angle), major ?? 0, minor ?? 0];
    const xy = (along - across) * sin * cos;
    return [
      [along * cos ** 2 + across * sin ** 2, xy],
      [xy, along * sin ** 2 + across * cos ** 2],
    ];
  }
}

/**
 * `GOOD` and `COARSE`: the uncertainty is within the settings' limits for this state. `LOST`: the uncertainty exceeds
 * both limits.
 */
export type LocalizationState = 'LOST' | 'COARSE' | 'GOOD';

/** The ellipse that contains the cart with the given probability. */
export interface PlanEllipse {
  semiMajorMm: number;
  semiMinorMm: number;
  /** Direction of the major axis in degrees counterclockwise from the plan's x axis, 0 <= angle < 180. */
  angleDeg: number;
  probability: number;
}

/** Position and heading on the plan: x to the right, y up, heading in degrees, counterclockwise from the x-axis. */
export interface PlanPose {
  xMm: number;
  yMm: number;
  headingDeg: number;
  /** Covariance of x, y and heading, in mm and degrees. */
  covariance: readonly (readonly number[])[];
  ellipse: PlanEllipse;
  state: LocalizationState;
  /** Time in ms since each source contributed; null if it has not. */
  ageMs: { odometry: number | null; markers: number | null; beacons: number | null };
}

/** The pose of a cart, as published. */
export interface CartLocation extends PlanPose {
  /** IDs of markers that contradict the other markers, and are therefore not used. */
  suspiciousMarkers: readonly number[];
}

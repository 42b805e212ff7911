/** A point on the floor plan in mm: x to the right, y up, from the plan's lower left corner. */
export type PlanPoint = readonly [xMm: number, yMm: number];

/** An area of the floor plan with a rule. Zones are an aid for the layout, not a safety function. */
export interface Zone {
  id: string;
  /** `BLOCKED`: no motion. `SPEED_LIMIT`: at most `maxSpeedMmps`. `MANUAL_ONLY`: only hand driving. */
  kind: 'BLOCKED' | 'SPEED_LIMIT' | 'MANUAL_ONLY';
  name: string;
  /** The corners in order, in either direction; the first corner is not repeated at the end. */
  polygon: PlanPoint[];
  /** Only for `SPEED_LIMIT`. */
  maxSpeedMmps?: number;
}

/** What happens at the end of a leg, while the cart is stationary. */
export type RouteAction =
  | { kind: 'WAIT'; seconds: number }
  /** The run pauses until an operator resumes it. */
  | { kind: 'WAIT_FOR_OPERATOR' }
  | { kind: 'PHOTO' }
  | { kind: 'DOCK'; markerId: number };

/** A straight drive to a point of the floor plan, after a turn towards it. */
export interface Leg {
  /** From the floor plan's lower left corner: x to the right, y up. */
  xMm: number;
  yMm: number;
  /**
   * Counterclockwise from the x axis. Where the cart drives, only whether the heading points forwards or backwards
   * matters; without it, the cart drives forwards. At a point that the cart has already reached, it turns to the
   * heading. On the first leg, the heading at which a run can start.
   */
  headingDeg?: number;
  maxSpeedMmps?: number;
  action?: RouteAction;
}

export interface Route {
  id: string;
  name: string;
  /** The only cart that may drive the route. */
  cartID?: number;
  /** The first leg leads to the point at which the route starts. */
  legs: readonly Leg[];
}

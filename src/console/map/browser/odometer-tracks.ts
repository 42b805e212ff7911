import { type LatLong, TangentPlane } from '../../../plan/pure.js';
import type { StateStore } from '../../browser/live/state-store.js';
import type { CartTrack } from './cart-positions.js';

export const NO_ELLIPSE = { semiMajorM: 0, semiMinorM: 0, bearingDeg: 0, probability: 1 };

/**
 * On a map without a geographic position, shows the selected cart, unless beacons locate it. The cart is
 * assumed to have started at the origin, facing north. Only one cart is shown, because carts start at
 * different positions.
 */
export function odometerTracks(
  state: StateStore,
  origin: LatLong,
  received: readonly CartTrack[],
): CartTrack[] {
  const { selected } = state;
  const isLocated = received.some(({ cartID, position }) => cartID === selected?.cartID && position);
  if (!selected?.pose || isLocated) return [];
  const { cartID, name, pose } = selected;
  const position = new TangentPlane([origin]).toGlobe({ x: -pose.yMm / 1000, y: pose.xMm / 1000 });
  return [
    {
      cartID,
      name,
      received: [],
      reason: '',
      trail: [],
      position: { ...position, ellipse: NO_ELLIPSE, beacons: 0 },
      bearingDeg: -pose.headingDeg,
      isAssumed: true,
      ageMs: state.ageMs(cartID) ?? Infinity,
    },
  ];
}

import type { StateStore } from '../../web/browser/live/state-store.js';
import { type LatLong, TangentPlane } from '../positioning/geodesy.js';
import type { CartTrack } from './cart-positions.js';

export const NO_ELLIPSE = { semiMajorM: 0, semiMinorM: 0, bearingDeg: 0, probability: 1 };

/**
 * Shows the selected cart on an empty map, unless the cart has a position from beacons. The origin is the
 * cart's starting position; its initial heading points up. Only one cart is shown, because carts start at
 * different positions.
 */
export function odometerTracks(
  state: StateStore,
  origin: LatLong,
  received: readonly CartTrack[],
): CartTrack[] {
  const { selected } = state;
  if (!selected?.pose || received.some(({ cartID }) => cartID === selected.cartID)) return [];
  const { cartID, name, pose } = selected;
  const position = new TangentPlane([origin]).toGlobe({ x: -pose.yMm / 1000, y: pose.xMm / 1000 });
  return [
    {
      ...{ cartID, name, received: [], reason: '', trail: [] },
      position: { ...position, ellipse: NO_ELLIPSE, beacons: 0 },
      bearingDeg: -pose.headingDeg,
      ageMs: state.ageMs(cartID) ?? Infinity,
    },
  ];
}

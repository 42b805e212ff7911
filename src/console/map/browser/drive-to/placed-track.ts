import type { MapPose } from '../../../../beacons/pure.js';
import type { StateStore } from '../../../browser/live/state-store.js';
import type { CartTrack } from '../cart-positions.js';
import { NO_ELLIPSE } from '../odometer-tracks.js';

/** Shows this gateway's cart where the operator placed it, instead of where the beacons locate it. */
export function withPlacedCart(
  tracks: readonly CartTrack[],
  state: StateStore,
  pose: MapPose | undefined,
): readonly CartTrack[] {
  const cart = state.own;
  if (!pose || !cart) return tracks;
  const { cartID, name } = cart;
  const own = tracks.find((track) => track.cartID === cartID);
  const { lat, long, bearingDeg } = pose;
  const placed: CartTrack = {
    cartID,
    name,
    bearingDeg,
    reason: '',
    trail: [],
    received: own?.received ?? [],
    position: { lat, long, ellipse: NO_ELLIPSE, beacons: 0 },
    ageMs: state.ageMs(cartID) ?? Number.POSITIVE_INFINITY,
  };
  return [...tracks.filter((track) => track !== own), placed];
}

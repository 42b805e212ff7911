import type { StateStore } from '../../web/browser/live/state-store.js';
import type { PlanFrame } from '../positioning/plan-frame.js';
import type { CartTrack } from './cart-positions.js';

/** Shows carts at their positions on the plan, which are more accurate than those from beacons alone. */
export function withLocatedCarts(
  tracks: readonly CartTrack[],
  state: StateStore,
  frame: PlanFrame,
): readonly CartTrack[] {
  const located = [...state.carts.values()].flatMap(({ cartID, name, location }): CartTrack[] => {
    if (!location || location.state === 'LOST') return [];
    const { semiMajorMm, semiMinorMm, angleDeg, probability } = location.ellipse;
    const ellipse = {
      ...{ semiMajorM: semiMajorMm / 1000, semiMinorM: semiMinorMm / 1000, probability },
      bearingDeg: frame.turned(angleDeg) % 180,
    };
    const own = tracks.find((track) => track.cartID === cartID);
    return [
      {
        ...{ cartID, name, reason: '', trail: own?.trail ?? [], received: own?.received ?? [] },
        position: { ...frame.toGlobe(location), ellipse, beacons: 0 },
        bearingDeg: frame.turned(location.headingDeg),
        ageMs: state.ageMs(cartID) ?? Number.POSITIVE_INFINITY,
      },
    ];
  });
  const isLocated = new Set(located.map(({ cartID }) => cartID));
  return [...tracks.filter(({ cartID }) => !isLocated.has(cartID)), ...located];
}

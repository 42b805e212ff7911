import type { FloorPlan } from '../../plan/index.js';
import { SitePlan } from '../../site/index.js';
import type { AppContext } from '../context.js';

export function openSitePlan(
  { store, log, history, identity }: AppContext,
  { floorPlan }: { floorPlan: FloorPlan },
): SitePlan {
  return new SitePlan({
    store,
    log,
    floorPlan,
    record: ({ by, version, ...change }) =>
      history.recordConfirmation({
        kind: 'site.changed',
        cartID: identity.cartId,
        by,
        change: { ...change, version: String(version) },
      }),
  });
}

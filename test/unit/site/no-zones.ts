import type { PoseGuard } from '../../../src/navigation/index.js';
import type { PlanGuard } from '../../../src/plan/index.js';

/** Permits all changes, as while the site plan has no zones. */
export const NO_ZONES: PlanGuard & PoseGuard = {
  changePlan: (_req, change) => change(),
  changeMarker: (_req, change) => change(),
  changePosition: async (_req, _pose, change) => change(),
};

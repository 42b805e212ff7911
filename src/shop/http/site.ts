import { Router } from 'express';
import type { SandboxDesk } from '../payments/provider.js';
import { type ShopPagesDeps, shopPages } from './pages.js';
import { shopRoutes } from './routes.js';
import { sandboxRoutes } from './sandbox-routes.js';

export interface ShopSiteDeps extends ShopPagesDeps {
  /** When payments go to the sandbox. */
  sandbox?: SandboxDesk;
}

/** All of the shop: routes, pages, and the sandbox's hosted page when there is one. */
export function shopSite(deps: ShopSiteDeps): Router {
  const { sandbox } = deps;
  const router = Router();
  router.use(shopRoutes(deps));
  router.use(shopPages(deps));
  if (sandbox) router.use(sandboxRoutes({ ...deps, sandbox }));
  return router;
}

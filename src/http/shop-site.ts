import { Router } from 'express';
import type { SandboxDesk } from '../shop/provider.js';
import { type ShopPagesDeps, shopPages } from './shop-pages.js';
import { shopRoutes } from './shop-routes.js';
import { sandboxRoutes } from './shop-sandbox-routes.js';

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

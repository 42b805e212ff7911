import { Router } from 'express';
import { catalogueRoutes } from './catalogue-routes.js';
import { paymentRoutes, type ShopRoutesDeps } from './payment-routes.js';
import { webhookRoutes } from './webhook-routes.js';

export type { ShopRoutesDeps } from './payment-routes.js';

/** Every route of the shop that programs use. Fixed paths first: `/payments/cart/…` is no transaction. */
export function shopRoutes(deps: ShopRoutesDeps): Router {
  const router = Router();
  router.use(webhookRoutes(deps));
  router.use(catalogueRoutes(deps));
  router.use(paymentRoutes(deps));
  return router;
}

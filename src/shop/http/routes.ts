import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { catalogueRoutes } from './catalogue-routes.js';
import { paymentRoutes, type ShopRoutesDeps, webhookRoutes } from './payment-routes.js';

export function shopRoutes(deps: ShopRoutesDeps): DeclaredRouter {
  const router = routerOf();
  router.use(webhookRoutes(deps));
  router.use(catalogueRoutes(deps));
  router.use(paymentRoutes(deps));
  return router;
}

import type { RequestHandler } from 'express';
import { readBody } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { requireGameId, requireOrder } from '../check.js';
import { shopApi } from './openapi.js';
import type { ShopRoutesDeps } from './payment-routes.js';
import { requireOwner } from './principal.js';
import { specErrors } from './responses.js';

type UserId = { user_id: string };

const { routes } = shopApi;

export function catalogueRoutes(deps: ShopRoutesDeps): DeclaredRouter {
  const router = routerOf(shopApi);
  gameRoutes(router, deps);
  basketRoutes(router, deps);
  orderRoutes(router, deps);
  return router;
}

/** The access guard allows only operators and their API keys to change games. */
function gameRoutes(router: DeclaredRouter, { shop: { catalogue } }: ShopRoutesDeps): void {
  router.on('GET /games', (_req, res) => void res.json(catalogue.games()));
  router.on('POST /games', async (req, res) => {
    res.status(201).json(await catalogue.add(req.body));
  });
  router.on('PATCH /games/:gameId', async (req, res) => {
    res.json(await catalogue.change(requireGameId(req.params.gameId, 'gameId'), req.body));
  });
  router.on('DELETE /games/:gameId', async (req, res) => {
    res.json(await catalogue.remove(requireGameId(req.params.gameId, 'gameId')));
  });
}

function basketRoutes(router: DeclaredRouter, { shop: { orders }, principalOf, log }: ShopRoutesDeps): void {
  const ownBasket: RequestHandler<UserId> = (req, _res, next) => {
    requireOwner(principalOf(req), requireGameId(req.params.user_id, 'user_id'));
    next();
  };
  const change: RequestHandler<UserId> = async (req, res) => {
    res.json(await orders.changeBasket(Number(req.params.user_id), req.body));
  };
  const empty: RequestHandler<UserId> = async (req, res) => {
    await orders.emptyBasket(Number(req.params.user_id));
    res.json({ success: true });
  };
  router.on('GET /payments/cart/:user_id', ownBasket, (req, res) => {
    res.json(orders.basket(Number(req.params.user_id)));
  });
  router.onRawBody(
    'POST /payments/cart/:user_id',
    ownBasket,
    ...readBody(routes['POST /payments/cart/:user_id']),
    change,
  );
  router.on('DELETE /payments/cart/:user_id', ownBasket, empty, specErrors('plain', log));
}

function orderRoutes(router: DeclaredRouter, { shop: { orders }, principalOf, log }: ShopRoutesDeps): void {
  const place: RequestHandler = async (req, res) => {
    const order = requireOrder(req.body);
    const principal = principalOf(req);
    requireOwner(principal, order.userId);
    await orders.place(order, principal.role !== 'customer');
    res
      .status(201)
      .json({ success: true, message: `Game ${order.game_id} was added to order ${order.orderId}.` });
  };
  router.on('POST /payments/order', place, specErrors('order', log));
  const stats: RequestHandler = (_req, res) => void res.json(orders.stats());
  router.on('GET /orders/stats', stats, specErrors('plain', log));
}

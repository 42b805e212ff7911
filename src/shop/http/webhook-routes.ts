import express, { Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { shopApi } from './openapi.js';
import type { ShopRoutesDeps } from './payment-routes.js';

/**
 * `POST /webhooks/:provider`: checked over the raw bytes, kept once, answered at once. What it says is not believed: the
 * payment is read from the provider. Payments that are not ours get the same answer as those that are.
 */
export function webhookRoutes({ shop }: ShopRoutesDeps): Router {
  const router = Router();
  const raw = express.raw({
    limit: shopApi.routes['POST /webhooks/:provider'].body.maxBytes,
    type: () => true,
  });
  router.post('/webhooks/:provider', raw, async (req, res) => {
    const { provider, payments } = shop;
    if (req.params.provider !== provider.name || !provider.readHint) {
      throw new GatewayError('NOT_FOUND', 'this gateway takes no such webhooks');
    }
    const body: unknown = req.body;
    const hint = await provider.readHint(Buffer.isBuffer(body) ? body : Buffer.alloc(0), req.headers);
    await payments.heed(hint);
    res.json({ received: true });
  });
  return router;
}

import { type RequestHandler, Router } from 'express';
import { t } from '../../i18n/page.js';
import { GatewayError } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { inLanguageOf } from '../../web/layout/language-routes.js';
import { frameContext } from '../../web/layout/layout-context.js';
import { readBody } from '../../web/server/bodies.js';
import type { SandboxDesk } from '../payments/provider.js';
import { catalogueRoutes } from './catalogue-routes.js';
import { localPath, sandboxContext } from './context.js';
import { shopPagesApi } from './openapi.js';
import { type ShopPagesDeps, shopPages } from './pages.js';
import { paymentRoutes, type ShopRoutesDeps, webhookRoutes } from './payment-routes.js';

/** Every route of the shop that programs use. Fixed paths first: `/payments/cart/…` is no transaction. */
function shopRoutes(deps: ShopRoutesDeps): Router {
  const router = Router();
  router.use(webhookRoutes(deps));
  router.use(catalogueRoutes(deps));
  router.use(paymentRoutes(deps));
  return router;
}

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

const CHOICES = ['pay', 'decline', 'cancel'] as const;

const { routes } = shopPagesApi;

/**
 * The sandbox's hosted page, where a buyer would otherwise be at the provider, and as there whoever has the link may
 * pay: `GET` and `POST /sandbox/:ref`.
 */
function sandboxRoutes(deps: ShopPagesDeps & { sandbox: SandboxDesk }): Router {
  const { shop, sandbox, render, frame } = deps;
  const router = Router();
  router.get('/sandbox/:ref', (req, res) => {
    const view = sandbox.view(req.params.ref);
    if (!view) throw new GatewayError('NOT_FOUND', 'the sandbox has no such payment');
    const context = (): object => ({
      ...frameContext(frame(req), { title: t`Pay`, page: 'shop' }),
      checkout: sandboxContext(view),
    });
    res.type('html').send(inLanguageOf(req, () => render('shop/checkout', context())));
  });
  const choose: RequestHandler<{ ref: string }> = async (req, res) => {
    const form: unknown = req.body;
    const choice = CHOICES.find((word) => isJsonObject(form) && form.choice === word);
    if (!choice) {
      throw new GatewayError('INVALID_INPUT', `choice must be one of ${CHOICES.join(', ')}`, {
        field: 'choice',
      });
    }
    const { ref, returnUrl } = await sandbox.choose(req.params.ref, choice);
    await shop.payments.heed({ ref, detail: `buyer chose ${choice}` });
    res.redirect(303, choice === 'decline' ? `/sandbox/${ref}` : localPath(returnUrl));
  };
  router.post('/sandbox/:ref', ...readBody(routes['POST /sandbox/:ref']), choose);
  return router;
}

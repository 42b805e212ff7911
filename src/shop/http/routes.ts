import type { RequestHandler } from 'express';
import { layoutContext } from '../../console/layout/layout-context.js';
import { localPath, sandboxContext } from '../../console/shop/context.js';
import { recordsPage } from '../../console/shop/records.js';
import { inLanguageOf } from '../../http/language.js';
import { readBody } from '../../http/server/bodies.js';
import { type DeclaredRouter, declaredRouter } from '../../http/server/declared-router.js';
import { t } from '../../i18n/page-text.js';
import { GatewayError } from '../../shared/errors.js';
import type { SandboxCheckouts } from '../../shared/ports/payments.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { catalogueRoutes } from './catalogue-routes.js';
import { shopPagesApi } from './openapi.js';
import { type ShopPagesDeps, shopPages } from './pages.js';
import { paymentRoutes, type ShopRoutesDeps, webhookRoutes } from './payment-routes.js';

function apiRoutes(deps: ShopRoutesDeps): DeclaredRouter {
  const router = declaredRouter();
  router.use(webhookRoutes(deps));
  router.use(catalogueRoutes(deps));
  router.use(paymentRoutes(deps));
  return router;
}

export interface ShopRouterDeps extends ShopPagesDeps {
  sandbox?: SandboxCheckouts;
}

export function shopRouter(deps: ShopRouterDeps): DeclaredRouter {
  const { sandbox } = deps;
  const router = declaredRouter();
  router.use(apiRoutes(deps));
  router.use(shopPages(deps));
  router.use(recordsPage(deps));
  if (sandbox) router.use(sandboxRoutes({ ...deps, sandbox }));
  return router;
}

const CHOICES = ['pay', 'decline', 'cancel'] as const;

const { routes } = shopPagesApi;

/** As with a real provider, anyone who has the link to the checkout page can pay. */
function sandboxRoutes(deps: ShopPagesDeps & { sandbox: SandboxCheckouts }): DeclaredRouter {
  const { shop, sandbox, render, layout } = deps;
  const router = declaredRouter();
  router.get('/sandbox/:ref', (req, res) => {
    const view = sandbox.view(req.params.ref);
    if (!view) throw new GatewayError('NOT_FOUND', 'the sandbox has no such payment');
    const context = (): object => ({
      ...layoutContext(layout(req), { page: 'shop', title: t('Pay') }),
      checkout: sandboxContext(view),
    });
    res.type('html').send(inLanguageOf(req, () => render('shop/checkout', context())));
  });
  const choose: RequestHandler<{ ref: string }> = async (req, res) => {
    const form: unknown = req.body;
    const choice = CHOICES.find((each) => isJsonObject(form) && form.choice === each);
    if (!choice) {
      throw new GatewayError('INVALID_INPUT', `choice must be one of ${CHOICES.join(', ')}`, {
        field: 'choice',
      });
    }
    const { ref, returnUrl } = await sandbox.choose(req.params.ref, choice);
    // Each choice is one event per payment, however often it is repeated; the checkout counts the declines.
    await shop.payments.handleHint({ eventId: `${ref}:${choice}`, ref, detail: `the buyer chose ${choice}` });
    res.redirect(303, choice === 'decline' ? `/sandbox/${ref}` : localPath(returnUrl));
  };
  router.post('/sandbox/:ref', ...readBody(routes['POST /sandbox/:ref']), choose);
  return router;
}

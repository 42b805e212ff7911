import type { Request } from 'express';
import * as api from '../../http/openapi/schema-helpers.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { t } from '../../i18n/page-text.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';

/** True if the process was started by `npm run dev`. */
export const isDevelopment = process.env.NODE_ENV === 'development';

export const styleguideApi = api.api(
  { name: 'Development', description: 'Routes for development.' },
  {
    'GET /styleguide': api.anyone('Shows all components of the design system', { ok: api.page }),
  },
);

interface StyleguideDeps {
  layout: (req: Request) => LayoutData;
  render: (context: LayoutContext) => string;
}

/** Serves a page that contains every component of `views/assets` in each of its states. */
export function styleguideRoutes({ layout, render }: StyleguideDeps): DeclaredRouter {
  const router = routerOf(styleguideApi);
  router.on('GET /styleguide', (req, res) => {
    const context = layoutContext(layout(req), { title: t('Style guide') });
    res.type('html').send(render(context));
  });
  return router;
}

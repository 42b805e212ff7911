import { type Request, Router } from 'express';
import type { Clock } from '../../shared/ports/ports.js';
import { wantsHtml } from '../../web/errors.js';
import type { FrameData } from '../../web/layout/context.js';
import { inLanguageOf } from '../../web/layout/language-routes.js';
import type { Pages } from '../../web/layout/pages.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import { type FleetList, fleetCounts, fleetRow, worstFirst } from '../labels/fleet-rows.js';
import { fleetContext } from './fleet-context.js';

/** Everybody who asks within this time gets the same answer: fifty pages cost what one does. */
const SHARED_MS = 500;

interface FleetRoutesDeps {
  dispatcher: Pick<CommandDispatcher, 'carts'>;
  frame: (req: Request) => FrameData;
  pages: Pick<Pages, 'render'>;
  clock: Clock;
}

/** `GET /fleet`: every cart in a line, as a page and as JSON. */
export function fleetRoutes({ dispatcher, frame, pages, clock }: FleetRoutesDeps): Router {
  let json = '';
  let madeMs = Number.NEGATIVE_INFINITY;
  const list = (): FleetList => {
    const carts = dispatcher.carts().map(fleetRow).toSorted(worstFirst);
    return { counts: fleetCounts(carts.map(({ state }) => state)), carts };
  };
  const router = Router();
  router.get('/fleet', (req, res) => {
    if (wantsHtml(req)) {
      const html = inLanguageOf(req, () => pages.render('carts/fleet', fleetContext(frame(req), list())));
      res.type('html').send(html);
      return;
    }
    if (clock.now() - madeMs > SHARED_MS) {
      json = JSON.stringify(list());
      madeMs = clock.now();
    }
    res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    res.end(json);
  });
  return router;
}

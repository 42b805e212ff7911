import { wantsPage } from '../../http/errors.js';
import { dutchJson, isDutchPage } from '../../http/language.js';
import { sendPage } from '../../http/pages.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import { type FleetList, fleetCounts, fleetRows, worstFirst } from '../fleet/fleet-rows.js';
import { commandApi } from './openapi.js';
import { fleetPage } from './pages.js';

/** Requests within this time share one response, so that fifty pages cause no more load than one. */
const SHARED_MS = 500;

interface FleetRoutesDeps {
  dispatcher: Pick<CommandDispatcher, 'carts' | 'duplicates'>;
  clock: Clock;
}

export function fleetRoutes({ dispatcher, clock }: FleetRoutesDeps): DeclaredRouter {
  const answers = new Map<boolean, { json: string; madeMs: number }>();
  const list = (): FleetList => {
    const carts = fleetRows(dispatcher.carts()).toSorted(worstFirst);
    const counts = fleetCounts(carts.map(({ state }) => state));
    return { counts, carts, duplicates: dispatcher.duplicates() };
  };
  const answerFor = (isDutch: boolean): string => {
    const known = answers.get(isDutch);
    if (known && clock.now() - known.madeMs <= SHARED_MS) return known.json;
    const json = isDutch ? dutchJson(list()) : JSON.stringify(list());
    answers.set(isDutch, { json, madeMs: clock.now() });
    return json;
  };
  const router = routerOf(commandApi);
  router.on('GET /fleet', (req, res) => {
    if (wantsPage(req)) return sendPage(req, res, fleetPage, list());
    const json = answerFor(isDutchPage(req));
    res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    res.end(json);
  });
  return router;
}

import type { Request } from 'express';
import {
  type FleetDuplicate,
  type FleetLine,
  fleetDuplicate,
  fleetLine,
  fleetStateText,
} from '../../console/labels/fleet-labels.js';
import {
  FLEET_STATES,
  type FleetList,
  fleetCounts,
  fleetRow,
  worstFirst,
} from '../../console/labels/fleet-rows.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../../console/layout/layout-context.js';
import type { Pages } from '../../console/layout/pages.js';
import { wantsHtml } from '../../http/errors.js';
import { dutchJson, inLanguageOf, isDutchPage } from '../../http/language.js';
import { type DeclaredRouter, declaredRouter } from '../../http/server/declared-router.js';
import { t } from '../../i18n/page-text.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CommandDispatcher } from '../command/dispatcher.js';

/** Requests within this time share one response, so that fifty pages cause no more load than one. */
const SHARED_MS = 500;

interface FleetRoutesDeps {
  dispatcher: Pick<CommandDispatcher, 'carts' | 'duplicates'>;
  layout: (req: Request) => LayoutData;
  pages: Pick<Pages, 'render'>;
  clock: Clock;
}

export function fleetRoutes({ dispatcher, layout, pages, clock }: FleetRoutesDeps): DeclaredRouter {
  const answers = new Map<boolean, { json: string; madeMs: number }>();
  const list = (): FleetList => {
    const carts = dispatcher.carts().map(fleetRow).toSorted(worstFirst);
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
  const router = declaredRouter();
  router.get('/fleet', (req, res) => {
    if (wantsHtml(req)) {
      const html = inLanguageOf(req, () => pages.render('fleet/fleet', fleetContext(layout(req), list())));
      res.type('html').send(html);
      return;
    }
    const json = answerFor(isDutchPage(req));
    res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    res.end(json);
  });
  return router;
}

/** The server renders this many rows; the script renders the other rows while they are visible. */
const LINES_SENT = 50;

interface Option {
  value: string;
  text: string;
}

interface FleetContext extends LayoutContext {
  total: number;
  counts: { state: string; text: string; count: number }[];
  lines: FleetLine[];
  shows: Option[];
  sorts: Option[];
  duplicates: FleetDuplicate[];
  hasDuplicates: boolean;
  /** Carts that have no row in the rendered page. */
  more: number;
  blank: Record<string, never>;
}

function fleetContext(layout: LayoutData, { counts, carts, duplicates }: FleetList): FleetContext {
  return {
    ...layoutContext(layout, { page: 'fleet' }),
    total: carts.length,
    counts: FLEET_STATES.map((state) => ({ state, text: fleetStateText(state), count: counts[state] })),
    shows: [
      { value: '', text: t`all carts` },
      { value: 'problems', text: t`problems` },
      ...FLEET_STATES.map((state) => ({ value: state, text: fleetStateText(state) })),
    ],
    sorts: [
      { value: 'worst', text: t`problems first` },
      { value: 'number', text: t`number` },
      { value: 'name', text: t`name` },
      { value: 'battery', text: t`lowest battery` },
      { value: 'age', text: t`oldest update` },
    ],
    lines: carts.slice(0, LINES_SENT).map((cart) => fleetLine(cart, cart.ageMs)),
    duplicates: duplicates.map(fleetDuplicate),
    hasDuplicates: duplicates.length > 0,
    more: Math.max(0, carts.length - LINES_SENT),
    blank: {},
  };
}

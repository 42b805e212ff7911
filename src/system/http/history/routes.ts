import type { Request, Response } from 'express';
import { wantsPage } from '../../../http/errors.js';
import { sendPage } from '../../../http/pages.js';
import { queryNumber } from '../../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../../http/server/declared-router.js';
import type { Actor } from '../../../shared/actor.js';
import type { Clock } from '../../../shared/ports/clock.js';
import type { History } from '../../history/history.js';
import type { HistoryFigures } from '../../history/statistics.js';
import type { IncidentStore } from '../../incidents/incident-store.js';
import { historyApi } from './openapi.js';
import { entriesPage, statisticsPage } from './pages.js';
import { daysOf, filterOf, MAX_FIND, positionOf, textQuery } from './query.js';

const PAGE_ROWS = 50;
const MAX_ROWS = 200;
const PARAMS = ['cartID', 'person', 'outcome', 'from', 'to', 'find', 'before', 'id'] as const;

interface HistoryPageDeps {
  history: Pick<History, 'search' | 'statistics'>;
  boxes: Pick<IncidentStore, 'list'>;
  clock: Clock;
}

/** Serves the entries and the statistics, as JSON and as pages. */
export function historyPageRoutes(deps: HistoryPageDeps): DeclaredRouter {
  const router = routerOf(historyApi);
  router.on('GET /history', (req, res) => sendEntries(deps, req, res));
  router.on('GET /history/statistics', (req, res) => sendStatistics(deps, req, res));
  return router;
}

async function sendEntries(deps: HistoryPageDeps, req: Request, res: Response): Promise<void> {
  const { history, boxes, clock } = deps;
  const below = positionOf(req);
  const limit = queryNumber(req, 'limit', [1, MAX_ROWS]) ?? PAGE_ROWS;
  const found = await history.search.page(filterOf(req), { limit, ...(below ? { below } : {}) });
  if (!wantsPage(req)) {
    const { entries, next } = found;
    res.json({ entries: entries.map(withoutActor), next: next ? `${next.at}.${next.id}` : null });
    return;
  }
  const id = textQuery(req, 'id', 16);
  const entry = /^\d+$/.test(id) ? history.search.entry(Number(id)) : undefined;
  const interrupted = entry ? history.search.interruptedBy(entry) : [];
  const people = history.search.people();
  const recordings = entry ? await boxes.list() : [];
  await sendPage(req, res, entriesPage, {
    params: paramsOf(req),
    found,
    people,
    entry,
    interrupted,
    recordings,
    now: clock.wallTime(),
  });
}

/** Returns the figures of the cart and the days in the query string. */
export function figuresFor(
  { statistics }: Pick<History, 'statistics'>,
  req: Request,
  now: number,
): Promise<HistoryFigures> {
  const { cart } = filterOf(req);
  return statistics.figures({ days: daysOf(req), cart, now });
}

async function sendStatistics(
  { history, clock }: HistoryPageDeps,
  req: Request,
  res: Response,
): Promise<void> {
  const days = daysOf(req);
  const { cart } = filterOf(req);
  const figures = await figuresFor(history, req, clock.wallTime());
  if (!wantsPage(req)) {
    return void res.json({ ...figures, people: figures.people.map(withoutActor) });
  }
  const cartID = cart === undefined ? '' : String(cart);
  await sendPage(req, res, statisticsPage, { days, cartID, figures });
}

/** Removes the actor, because the API contains only the actor's name. */
function withoutActor<T extends { actor: Actor }>({ actor: _actor, ...rest }: T): Omit<T, 'actor'> {
  return rest;
}

function paramsOf(req: Request): Record<string, string> {
  const given = PARAMS.map((name) => [name, textQuery(req, name, 2 * MAX_FIND)]);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

import type { Request, Response } from 'express';
import { cartNames, entriesContext, type Params, statisticsContext } from '../../../console/history/page.js';
import type { LayoutData } from '../../../console/layout/layout-context.js';
import type { Pages } from '../../../console/layout/pages.js';
import { wantsHtml } from '../../../http/errors.js';
import { inLanguageOf } from '../../../http/language.js';
import { queryNumber } from '../../../http/server/bodies.js';
import { isExcel } from '../../../http/server/csv-format.js';
import { type DeclaredRouter, routerOf } from '../../../http/server/declared-router.js';
import { t } from '../../../i18n/page-text.js';
import type { Actor } from '../../../shared/actor.js';
import { type CsvStyle, EXCEL_CSV, PLAIN_CSV } from '../../../shared/csv.js';
import type { Clock } from '../../../shared/ports/clock.js';
import type { History } from '../../history/history.js';
import type { IncidentStore } from '../../incidents/incident-store.js';
import { csvHead, csvLines, statisticsCsv } from './csv.js';
import { historyApi } from './openapi.js';
import { dateOf, daysOf, filterOf, groupingOf, MAX_FIND, positionOf, textQuery } from './query.js';

const PAGE_ROWS = 50;
const MAX_ROWS = 200;
const PARAMS = ['cartID', 'person', 'outcome', 'from', 'to', 'find', 'before', 'id'] as const;

interface HistoryPageDeps {
  history: Pick<History, 'search' | 'statistics'>;
  boxes: Pick<IncidentStore, 'list'>;
  layout: (req: Request) => LayoutData;
  pages: Pick<Pages, 'render'>;
  clock: Clock;
}

/** Serves the History page, its statistics, and the same data as JSON and CSV. */
export function historyPageRoutes(deps: HistoryPageDeps): DeclaredRouter {
  const router = routerOf(historyApi);
  router.on('GET /history', (req, res) => sendEntries(deps, req, res));
  router.on('GET /history/statistics', (req, res) => sendStatistics(deps, req, res));
  router.on('GET /history/statistics.csv', (req, res) => sendStatisticsCsv(deps, req, res));
  router.on('GET /history.csv', (req, res) => sendCsv(deps, req, res));
  return router;
}

async function sendEntries(deps: HistoryPageDeps, req: Request, res: Response): Promise<void> {
  const { history, boxes, layout, pages, clock } = deps;
  const below = positionOf(req);
  const limit = queryNumber(req, 'limit', [1, MAX_ROWS]) ?? PAGE_ROWS;
  const found = await history.search.page(filterOf(req), { limit, ...(below ? { below } : {}) });
  if (!wantsHtml(req)) {
    const { entries, next } = found;
    res.json({ entries: entries.map(withoutActor), next: next ? `${next.at}.${next.id}` : null });
    return;
  }
  const id = textQuery(req, 'id', 16);
  const entry = /^\d+$/.test(id) ? history.search.entry(Number(id)) : undefined;
  const interrupted = entry ? history.search.interruptedBy(entry) : [];
  const people = history.search.people();
  const recordings = entry ? await boxes.list() : [];
  const input = {
    params: paramsOf(req),
    found,
    people,
    entry,
    interrupted,
    recordings,
    now: clock.wallTime(),
  };
  const html = inLanguageOf(req, () => pages.render('history/entries', entriesContext(layout(req), input)));
  res.type('html').send(html);
}

function figuresFor({ history, clock }: HistoryPageDeps, req: Request) {
  const { cart } = filterOf(req);
  return history.statistics.figures({ days: daysOf(req), cart, now: clock.wallTime() });
}

async function sendStatistics(deps: HistoryPageDeps, req: Request, res: Response): Promise<void> {
  const { layout, pages } = deps;
  const days = daysOf(req);
  const { cart } = filterOf(req);
  const figures = await figuresFor(deps, req);
  if (!wantsHtml(req)) {
    return void res.json({ ...figures, people: figures.people.map(withoutActor) });
  }
  const input = { days, cartID: cart === undefined ? '' : String(cart), figures };
  const html = inLanguageOf(req, () =>
    pages.render('history/statistics', statisticsContext(layout(req), input)),
  );
  res.type('html').send(html);
}

async function sendStatisticsCsv(deps: HistoryPageDeps, req: Request, res: Response): Promise<void> {
  const by = groupingOf(req);
  const style = styleOf(req);
  const figures = await figuresFor(deps, req);
  const [file, csv] = inLanguageOf(req, () => [t('statistics'), statisticsCsv(figures, by, style)] as const);
  const range = [figures.days[0]?.at, figures.days.at(-1)?.at];
  res.writeHead(200, csvHeaders(file, range)).end(req.method === 'HEAD' ? undefined : csv);
}

/** The API contains only the actor's name. */
function withoutActor<T extends { actor: Actor }>({ actor: _actor, ...rest }: T): Omit<T, 'actor'> {
  return rest;
}

function styleOf(req: Request): CsvStyle {
  return isExcel(req) ? EXCEL_CSV : PLAIN_CSV;
}

/** @param range the first and the last day of the exported data, as Unix times in ms, if limited. */
function csvHeaders(file: string, range: readonly (number | undefined)[]) {
  const days = range.flatMap((ms) => (ms === undefined ? [] : [dateOf(ms)]));
  const name = [file, ...new Set(days)].join('-');
  return {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
}

/** Streams the entries in slices, with backpressure; ends early if the client disconnects. */
async function sendCsv(deps: HistoryPageDeps, req: Request, res: Response): Promise<void> {
  const { history, layout, clock } = deps;
  const filter = filterOf(req);
  const style = styleOf(req);
  const data = layout(req);
  const range = [filter.from, filter.to ?? clock.wallTime()];
  const file = inLanguageOf(req, () => t('history'));
  res.writeHead(200, csvHeaders(file, range));
  if (req.method === 'HEAD') return void res.end();
  res.write(csvHead(style));
  for await (const entries of history.search.all(filter)) {
    if (res.destroyed) return;
    const lines = inLanguageOf(req, () => csvLines(entries, cartNames(data), style));
    if (lines !== '' && !res.write(lines)) await drained(res);
  }
  res.end();
}

function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

function paramsOf(req: Request): Params {
  const given = PARAMS.map((name) => [name, textQuery(req, name, 2 * MAX_FIND)]);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

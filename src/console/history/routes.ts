import type { Request, Response } from 'express';
import { inLanguageOf } from '../../http/language.js';
import { isExcel } from '../../http/server/csv-format.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { t } from '../../i18n/page-text.js';
import { type CsvStyle, EXCEL_CSV, PLAIN_CSV } from '../../shared/csv.js';
import type { Clock } from '../../shared/ports/clock.js';
import { dateOf, figuresFor, filterOf, groupingOf, type History, historyApi } from '../../system/index.js';
import type { LayoutData } from '../layout/layout-context.js';
import { csvHead, csvLines, statisticsCsv } from './csv.js';
import { cartNames } from './page.js';

interface HistoryExportDeps {
  history: Pick<History, 'search' | 'statistics'>;
  layout: (req: Request) => LayoutData;
  clock: Clock;
}

/** Exports the entries and the statistics of the History page in the page's language. */
export function historyExportRoutes(deps: HistoryExportDeps): DeclaredRouter {
  const router = routerOf(historyApi);
  router.on('GET /history/statistics.csv', (req, res) => sendStatisticsCsv(deps, req, res));
  router.on('GET /history.csv', (req, res) => sendCsv(deps, req, res));
  return router;
}

async function sendStatisticsCsv(
  { history, clock }: HistoryExportDeps,
  req: Request,
  res: Response,
): Promise<void> {
  const by = groupingOf(req);
  const style = styleOf(req);
  const figures = await figuresFor(history, req, clock.wallTime());
  const [file, csv] = inLanguageOf(req, () => [t('statistics'), statisticsCsv(figures, by, style)] as const);
  const range = [figures.days[0]?.at, figures.days.at(-1)?.at];
  res.writeHead(200, csvHeaders(file, range)).end(req.method === 'HEAD' ? undefined : csv);
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
async function sendCsv(
  { history, layout, clock }: HistoryExportDeps,
  req: Request,
  res: Response,
): Promise<void> {
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

import { type Request, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { isLogLevel, LOG_LEVELS } from '../../shared/log.js';
import { wantsHtml } from '../../web/errors.js';
import { inLanguageOf } from '../../web/layout/language-routes.js';
import { queryNumber } from '../../web/server/bodies.js';
import type { LogQuery, LogRing } from '../health/log-ring.js';
import type { History } from '../history/history.js';
import type { Trend } from '../trends/trend.js';
import type { SystemState } from './context.js';

const MAX_ENTRIES = 200;
const MAX_LINES = 500;
const MAX_FIND = 100;

interface SystemRoutesDeps {
  state: () => SystemState;
  logRing: LogRing;
  trend: Pick<Trend, 'columns'>;
  renderSystem: (req: Request) => Promise<string>;
}

export function systemRoutes({ state, logRing, trend, renderSystem }: SystemRoutesDeps): Router {
  const router = Router();
  router.get('/system', async (req, res) => {
    if (wantsHtml(req)) res.type('html').send(await renderSystem(req));
    else res.json(inLanguageOf(req, state));
  });
  router.get('/system/log', (req, res) => {
    const lines = logRing.lines(logQueryOf(req));
    res.json({ newest: logRing.newest, lines });
  });
  router.get('/system/trend', (_req, res) => void res.json(trend.columns()));
  return router;
}

function logQueryOf(req: Request): LogQuery {
  const { level = LOG_LEVELS[0], find = '' } = req.query;
  if (typeof level !== 'string' || !isLogLevel(level)) {
    throw new GatewayError('INVALID_INPUT', `level must be one of ${LOG_LEVELS.join(', ')}`, {
      field: 'level',
    });
  }
  if (typeof find !== 'string' || find.length > MAX_FIND) {
    throw new GatewayError('INVALID_INPUT', `find must be a string of at most ${MAX_FIND} characters`, {
      ...{ field: 'find', limit: MAX_FIND, unit: 'characters' },
    });
  }
  return {
    level,
    find,
    after: queryNumber(req, 'after', [0, Number.MAX_SAFE_INTEGER]) ?? 0,
    limit: queryNumber(req, 'limit', [0, MAX_LINES]) ?? 200,
  };
}

/** Command states and safety events of the last 30 days, newest first. */
export function historyRoutes({ history }: { history: History }): Router {
  const router = Router();
  router.get('/history/commands', (req, res) => void res.json(history.recentCommands(pageOf(req))));
  router.get('/history/safety', (req, res) => void res.json(history.recentSafety(pageOf(req))));
  return router;
}

function pageOf(req: Request): { limit?: number; before?: number } {
  const limit = queryNumber(req, 'limit', [1, MAX_ENTRIES]);
  const before = queryNumber(req, 'before', [1, Number.MAX_SAFE_INTEGER]);
  return { ...(limit === undefined ? {} : { limit }), ...(before === undefined ? {} : { before }) };
}

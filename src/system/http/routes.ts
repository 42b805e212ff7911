import type { Request } from 'express';
import { queryNumber } from '../../http/server/bodies.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import type { LogRing } from '../health/log-ring.js';
import type { History } from '../history/history.js';
import type { Trend } from '../trends/trend.js';
import { historyApi } from './history/openapi.js';
import { logQueryOf } from './log-query.js';
import { systemApi } from './openapi.js';

const MAX_ENTRIES = 200;

interface SystemRoutesDeps {
  logRing: LogRing;
  trend: Pick<Trend, 'columns'>;
}

export function systemRoutes({ logRing, trend }: SystemRoutesDeps): DeclaredRouter {
  const router = routerOf(historyApi, systemApi);
  router.on('GET /system/log', (req, res) => {
    const lines = logRing.lines(logQueryOf(req));
    res.json({ newest: logRing.newest, lines });
  });
  router.on('GET /system/trend', (_req, res) => void res.json(trend.columns()));
  return router;
}

export function historyRoutes({ history }: { history: History }): DeclaredRouter {
  const router = routerOf(historyApi, systemApi);
  router.on('GET /history/commands', (req, res) => void res.json(history.recentCommands(pageOf(req))));
  router.on('GET /history/safety', (req, res) => void res.json(history.recentSafety(pageOf(req))));
  return router;
}

function pageOf(req: Request): { limit?: number; before?: number } {
  const limit = queryNumber(req, 'limit', [1, MAX_ENTRIES]);
  const before = queryNumber(req, 'before', [1, Number.MAX_SAFE_INTEGER]);
  return { ...(limit === undefined ? {} : { limit }), ...(before === undefined ? {} : { before }) };
}

import { type Request, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import { isLogLevel, LOG_LEVELS } from '../../shared/log.js';
import { wantsHtml } from '../../web/errors.js';
import { inLanguageOf } from '../../web/layout/language-routes.js';
import type { LogQuery, LogRing } from '../health/log-ring.js';
import type { Trend } from '../trends/trend.js';
import type { SystemState } from './context.js';

const MAX_LINES = 500;
const MAX_FIND = 100;

interface SystemRoutesDeps {
  state: () => SystemState;
  logRing: LogRing;
  trend: Pick<Trend, 'columns'>;
  /** `system/system.html`. */
  renderSystem: (req: Request) => Promise<string>;
}

/** The System page, what it shows as JSON, the last ten minutes in numbers, and the newest lines of the log. */
export function systemRoutes({ state, logRing, trend, renderSystem }: SystemRoutesDeps): Router {
  const router = Router();
  router.get('/system', async (req, res) => {
    if (wantsHtml(req)) res.type('html').send(await renderSystem(req));
    else res.json(inLanguageOf(req, state));
  });
  router.get('/system/log', (req, res) => {
    const lines = logRing.lines(queryOf(req));
    res.json({ newest: logRing.newest, lines });
  });
  router.get('/system/trend', (_req, res) => void res.json(trend.columns()));
  return router;
}

/** Throws `INVALID_INPUT` with the field. */
function queryOf({ query }: Request): LogQuery {
  const { level = LOG_LEVELS[0], find = '' } = query;
  if (typeof level !== 'string' || !isLogLevel(level)) {
    throw new GatewayError('INVALID_INPUT', `level must be one of ${LOG_LEVELS.join(', ')}`, {
      field: 'level',
    });
  }
  if (typeof find !== 'string' || find.length > MAX_FIND) {
    throw new GatewayError('INVALID_INPUT', `find must be a text of at most ${MAX_FIND} characters`, {
      ...{ field: 'find', limit: MAX_FIND, unit: 'characters' },
    });
  }
  return {
    level,
    find,
    after: wholeNumber('after', query.after, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber('limit', query.limit, 200, MAX_LINES),
  };
}

function wholeNumber(field: string, value: unknown, usual: number, limit: number): number {
  if (value === undefined) return usual;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : -1;
  if (number >= 0 && number <= limit) return number;
  throw new GatewayError('INVALID_INPUT', `${field} must be a whole number from 0 to ${limit}`, {
    field,
    limit,
  });
}

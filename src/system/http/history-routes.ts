import { type Request, Router } from 'express';
import { GatewayError } from '../../shared/errors.js';
import type { History } from '../history/history.js';

const MOST = 200;

/**
 * `GET /history/commands` and `/history/safety` (`?limit=&before=`, newest first): what the carts did and what stopped
 * them, for 30 days.
 */
export function historyRoutes({ history }: { history: History }): Router {
  const router = Router();
  router.get('/history/commands', (req, res) => void res.json(history.recentCommands(pageOf(req))));
  router.get('/history/safety', (req, res) => void res.json(history.recentSafety(pageOf(req))));
  return router;
}

function pageOf({ query }: Request): { limit?: number; before?: number } {
  const limit = wholeNumber('limit', query.limit, MOST);
  const before = wholeNumber('before', query.before, Number.MAX_SAFE_INTEGER);
  return { ...(limit === undefined ? {} : { limit }), ...(before === undefined ? {} : { before }) };
}

function wholeNumber(field: string, value: unknown, limit: number): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= limit) return number;
  throw new GatewayError('INVALID_INPUT', `${field} must be a whole number from 1 to ${limit}`, {
    field,
    limit,
  });
}

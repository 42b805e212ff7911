import { type Request, Router } from 'express';
import type { History } from '../ops/history.js';
import type { Store } from '../ports.js';
import { GatewayError } from '../util/errors.js';

const MOST = 200;

/**
 * `GET /history/commands` and `/history/safety` (`?limit=&before=`, newest first): what the carts did and what stopped
 * them, for 30 days. `POST /backups`: a verified copy of the database, now.
 */
export function historyRoutes({ history, store }: { history: History; store: Store }): Router {
  const router = Router();
  router.get('/history/commands', (req, res) => void res.json(history.recentCommands(pageOf(req))));
  router.get('/history/safety', (req, res) => void res.json(history.recentSafety(pageOf(req))));
  router.post('/backups', async (_req, res) => void res.status(201).json(await store.backup()));
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

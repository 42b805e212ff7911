import type { Request } from 'express';
import { queryNumber } from '../../http/server/bodies.js';
import { GatewayError } from '../../shared/errors.js';
import { isLogLevel, LOG_LEVELS, type LogLevel } from '../../shared/log.js';
import type { LogLine, LogQuery, LogRing } from '../health/log-ring.js';

const MAX_LINES = 500;
const MAX_FIND = 100;
const DEFAULT_LINES = 200;

export interface LogView {
  level: LogLevel;
  find: string;
  /** True if the request contains a filter. */
  isFiltered: boolean;
  lines: readonly LogLine[];
}

/** Throws `INVALID_INPUT`. */
export function logQueryOf(req: Request): LogQuery {
  return {
    ...filterOf(req, LOG_LEVELS[0]),
    after: queryNumber(req, 'after', [0, Number.MAX_SAFE_INTEGER]) ?? 0,
    limit: queryNumber(req, 'limit', [0, MAX_LINES]) ?? DEFAULT_LINES,
  };
}

/** Returns the newest 200 log lines that match the page's filter. Throws `INVALID_INPUT`. */
export function logViewOf(req: Request, ring: Pick<LogRing, 'lines'>): LogView {
  const filter = filterOf(req, 'info');
  const isFiltered = req.query.level !== undefined || req.query.find !== undefined;
  return { ...filter, isFiltered, lines: ring.lines({ ...filter, limit: DEFAULT_LINES }) };
}

function filterOf({ query }: Request, defaultLevel: LogLevel): { level: LogLevel; find: string } {
  const { level = defaultLevel, find = '' } = query;
  if (typeof level !== 'string' || !isLogLevel(level)) {
    throw new GatewayError('INVALID_INPUT', `level must be one of ${LOG_LEVELS.join(', ')}`, {
      field: 'level',
    });
  }
  if (typeof find !== 'string' || find.length > MAX_FIND) {
    throw new GatewayError('INVALID_INPUT', `find must be a string of at most ${MAX_FIND} characters`, {
      field: 'find',
      limit: MAX_FIND,
      unit: 'characters',
    });
  }
  return { level, find };
}

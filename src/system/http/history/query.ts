import type { Request } from 'express';
import { queryNumber } from '../../../http/server/bodies.js';
import { GatewayError } from '../../../shared/errors.js';
import { OUTCOMES, type Outcome } from '../../history/entries.js';
import type { Filter, HistoryPosition } from '../../history/slices.js';

/** The values of the `outcome` parameter; `stops` selects all stops and failures. */
export const OUTCOME_FILTERS = ['stops', ...OUTCOMES] as const;
export const PERIODS = [7, 30] as const;
export const MAX_FIND = 100;
const MAX_WORDS = 5;
const MAX_PERSON = 200;
const MAX_CART = 1_000_000_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** ISO 8601 with an optional time zone; without one, the time is in the gateway's time zone. */
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))?$/i;
const POSITION = /^(\d{1,16})\.(\d{1,16})$/;

/** Returns the filter in the query string. Throws `INVALID_INPUT` if a value is invalid. */
export function filterOf(req: Request): Filter {
  const outcome = outcomeOf(textQuery(req, 'outcome', 20));
  const find = textQuery(req, 'find', MAX_FIND).toLowerCase();
  return {
    cart: textQuery(req, 'cartID', 20) === '' ? undefined : queryNumber(req, 'cartID', [0, MAX_CART]),
    person: textQuery(req, 'person', MAX_PERSON) || undefined,
    ...(outcome === 'stops' ? { stops: true } : { outcome }),
    from: timeOf(req, 'from'),
    to: timeOf(req, 'to'),
    words: find.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS),
  };
}

/** Returns a parameter's value; empty if it is missing. Throws `INVALID_INPUT` if the value is too long. */
export function textQuery({ query }: Request, field: string, limit: number): string {
  const value = query[field] ?? '';
  if (typeof value === 'string' && value.length <= limit) return value.trim();
  throw new GatewayError('INVALID_INPUT', `${field} must be a string of at most ${limit} characters`, {
    field,
    limit,
    unit: 'characters',
  });
}

export function positionOf(req: Request): HistoryPosition | undefined {
  const text = textQuery(req, 'before', 40);
  if (text === '') return undefined;
  const [, at, id] = POSITION.exec(text) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id: Number(id) };
  throw new GatewayError('INVALID_INPUT', 'before must be the value of next from the previous page', {
    field: 'before',
  });
}

export function daysOf(req: Request): number {
  return queryNumber(req, 'days', [1, 31]) ?? PERIODS[0];
}

/** Returns which table to export. */
export function groupingOf(req: Request): 'person' | 'day' {
  const by = textQuery(req, 'by', 20);
  if (by === 'person' || by === 'day') return by;
  throw new GatewayError('INVALID_INPUT', 'by must be person or day', { field: 'by' });
}

/** Returns the date as `YYYY-MM-DD` in the gateway's time zone. */
export function dateOf(ms: number): string {
  const day = new Date(ms);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function outcomeOf(text: string): Outcome | 'stops' | undefined {
  if (text === '') return undefined;
  const found = OUTCOME_FILTERS.find((outcome) => outcome === text);
  if (found) return found;
  throw new GatewayError('INVALID_INPUT', `outcome must be one of ${OUTCOME_FILTERS.join(', ')}`, {
    field: 'outcome',
  });
}

/** Parses a date, or a date and time, of ISO 8601. A date in `to` is inclusive. */
function timeOf(req: Request, field: 'from' | 'to'): number | undefined {
  const text = textQuery(req, field, 40);
  if (text === '') return undefined;
  if (isDay(text)) {
    const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
    const end = new Date(year, month - 1, day + 1).getTime() - 1;
    return field === 'to' ? end : new Date(year, month - 1, day).getTime();
  }
  if (isMoment(text)) return Date.parse(text.replace(' ', 'T'));
  throw new GatewayError('INVALID_INPUT', `${field} must be a date, such as 2026-05-04, or a date and time`, {
    field,
  });
}

/** Returns true if the text is a valid calendar date, because `Date` reads 2026-02-30 as 2 March. */
function isDay(text: string): boolean {
  if (!DAY.test(text) || text < '1970-01-01') return false;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isFinite(day.getTime()) && day.toISOString().startsWith(text);
}

function isMoment(text: string): boolean {
  const [, day = '', hour, minute, second = 0, zoneHour = 0, zoneMinute = 0] = MOMENT.exec(text) ?? [];
  if (!isDay(day) || Number(hour) > 23 || Number(zoneHour) > 23) return false;
  return [minute, second, zoneMinute].every((part) => Number(part) <= 59);
}

import type { IncomingHttpHeaders } from 'node:http';

/**
 * The current representation of a resource, against which a request's conditions are evaluated (RFC 9110).
 */
export interface Representation {
  /** A strong entity tag, including its quotation marks. */
  etag: string;
  /** Unix time in ms; undefined if the resource has no modification date. */
  modifiedMs?: number;
  /** Size in bytes, after any content coding. */
  size: number;
}

export type ConditionOutcome =
  | { status: 200 | 304 | 412 | 416 }
  /** Both positions are inclusive, as in `Content-Range`. */
  | { status: 206; first: number; last: number };

interface ConditionalRequest {
  method: string;
  headers: IncomingHttpHeaders;
}

/** Evaluates the conditions of a GET or HEAD request in the order of RFC 9110, 13.2.2. */
export function outcomeOf(
  { method, headers }: ConditionalRequest,
  { etag, modifiedMs, size }: Representation,
): ConditionOutcome {
  // HTTP dates have a resolution of one second.
  const modified = modifiedMs === undefined ? undefined : Math.floor(modifiedMs / 1000) * 1000;
  const ifMatch = headers['if-match'];
  const unmodifiedSince = httpDate(headers['if-unmodified-since']);
  if (ifMatch !== undefined) {
    if (!listsStrongly(ifMatch, etag)) return { status: 412 };
  } else if (modified !== undefined && unmodifiedSince !== undefined && modified > unmodifiedSince) {
    return { status: 412 };
  }
  const ifNoneMatch = headers['if-none-match'];
  const modifiedSince = httpDate(headers['if-modified-since']);
  if (ifNoneMatch !== undefined) {
    if (listsWeakly(ifNoneMatch, etag)) return { status: 304 };
  } else if (modified !== undefined && modifiedSince !== undefined && modified <= modifiedSince) {
    return { status: 304 };
  }
  const { range } = headers;
  // RFC 9110, 14.2: Range is defined for GET only.
  if (range === undefined || method !== 'GET') return { status: 200 };
  const ifRange = headers['if-range']?.toString();
  if (ifRange !== undefined && ifRange !== etag && (modified === undefined || httpDate(ifRange) !== modified))
    return { status: 200 };
  return rangeOf(range, size);
}

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** RFC 9110, 13.1.2: compares the tags of `If-None-Match` weakly; `*` matches any tag. */
export function listsWeakly(list: string, etag: string): boolean {
  const opaque = (tag: string): string => tag.replace(/^W\//, '');
  return list.trim() === '*' || tagsIn(list).some((tag) => opaque(tag) === opaque(etag));
}

/** RFC 9110, 13.1.1: compares the tags of `If-Match` strongly, so weak tags never match. */
export function listsStrongly(list: string, etag: string): boolean {
  return list.trim() === '*' || tagsIn(list).includes(etag);
}

/** Returns the entity tags in a list. A tag may contain commas, so the list cannot be split at commas. */
function tagsIn(list: string): string[] {
  return list.match(TAG) ?? [];
}

const BYTES = /^\s*bytes\s*=(.*)$/i;
const RANGE = /^(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * Returns the outcome for a `Range` header (RFC 9110, 14.1.2 and 14.2). Ignores invalid ranges, other units, and
 * several ranges at once.
 */
function rangeOf(header: string, size: number): ConditionOutcome {
  const whole: ConditionOutcome = { status: 200 };
  const list = BYTES.exec(header)?.[1];
  // `Content-Range` cannot describe a part of an empty file.
  if (list === undefined || size === 0) return whole;
  const specs = list.split(',').flatMap((spec) => spec.trim() || []);
  const satisfiable: { first: number; last: number }[] = [];
  for (const spec of specs) {
    const [isValid, from = '', to = '', suffix = ''] = RANGE.exec(spec) ?? [];
    if (isValid === undefined || (from && to && Number(to) < Number(from))) return whole;
    const first = from ? Number(from) : Math.max(0, size - Number(suffix));
    const last = from && to ? Math.min(Number(to), size - 1) : size - 1;
    if (first < size) satisfiable.push({ first, last });
  }
  const [only, ...others] = satisfiable;
  if (specs.length === 0 || others.length > 0) return whole;
  return only ? { status: 206, ...only } : { status: 416 };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
const DATES = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) (?<month>\\w{3}) (?<year>\\d{4}) ${TIME} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-(?<month>\\w{3})-(?<year>\\d\\d) ${TIME} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>\\w{3}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((pattern) => new RegExp(`^${pattern}$`));

/**
 * Returns Unix time in ms. RFC 9110, 5.6.7: a recipient accepts all three date formats, and 13.1 requires it to
 * ignore an invalid date. Two-digit years are between 1970 and 2069.
 */
function httpDate(text: string | undefined): number | undefined {
  const groups = DATES.map((pattern) => pattern.exec(text ?? '')?.groups).find((found) => found);
  if (!groups) return undefined;
  const [day, hour, minute, second] = [groups.day, groups.hour, groups.minute, groups.second].map(Number);
  const month = MONTHS.indexOf(groups.month ?? '');
  const digits = Number(groups.year);
  const year = groups.year?.length === 4 ? digits : digits + (digits < 70 ? 2000 : 1900);
  const date = new Date(Date.UTC(year, month, day, hour, minute, second));
  const isValid = month >= 0 && date.getUTCDate() === day && date.getUTCHours() === hour;
  return isValid ? date.getTime() : undefined;
}

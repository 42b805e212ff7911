import type { Log } from '../../shared/ports/log.js';

const reported = new Set<string>();

/** Compares the result of the route table with the previous result, which is still used in production. */
export function compare(
  log: Pick<Log, 'error'> | undefined,
  what: string,
  { now, before, of }: { now: unknown; before: unknown; of: string },
): void {
  if (JSON.stringify(now) === JSON.stringify(before)) return;
  const text = `${what} of ${of}: ${JSON.stringify(now)}, before: ${JSON.stringify(before)}`;
  if (process.env.NODE_ENV !== 'production') throw new Error(text);
  if (reported.has(what)) return;
  reported.add(what);
  log?.error('route.match_differed', { reason: text });
}

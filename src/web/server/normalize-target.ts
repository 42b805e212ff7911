import type { IncomingMessage } from 'node:http';

const HOST = 'host';

/**
 * RFC 9112, 3.2.2: who sends a whole address means the host in it, whatever his `Host` says. What is no address is of no
 * host of ours, and neither is who names two (3.2). From then on the request looks as every other one does.
 */
export function normalizeTarget(req: IncomingMessage): void {
  const { url = '/' } = req;
  if (!url.startsWith('/') && url !== '*') {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    req.headers.host = target?.host ?? '';
    req.url = target ? `${target.pathname}${target.search}` : '/';
  }
  if (hostsIn(req.rawHeaders) > 1) req.headers.host = '';
}

/** @param raw names and values in turn. */
function hostsIn(raw: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count;
}

/** Longer than any browser sends. What is behind it is negotiated at a cost that grows with its square. */
const MAX_PREFERENCE_LENGTH = 512;

/** Cuts long lists of preferences (RFC 9110, 12.5) after the last whole one within the limit. */
export function shortenPreferences({ headers }: IncomingMessage): void {
  for (const name of ['accept', 'accept-language', 'accept-encoding'] as const) {
    const list = headers[name];
    if (list === undefined || list.length <= MAX_PREFERENCE_LENGTH) continue;
    headers[name] = list.slice(0, list.lastIndexOf(',', MAX_PREFERENCE_LENGTH));
  }
}

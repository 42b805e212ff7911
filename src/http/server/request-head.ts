import { IncomingMessage } from 'node:http';

const SOCKET_PATH = '/drive';

const upgradeRequested = new WeakSet<IncomingMessage>();

/** Reports `upgrade` only if it can be accepted; otherwise, Node would discard the request's body. */
export class UpgradableRequest extends IncomingMessage {
  set upgrade(isRequested: boolean | null) {
    if (isRequested) upgradeRequested.add(this);
  }

  get upgrade(): boolean {
    return upgradeRequested.has(this) && isHonoured(this);
  }
}

export function isUpgrade(req: IncomingMessage): boolean {
  return (req as UpgradableRequest).upgrade;
}

/**
 * Returns true if the `Upgrade` header is ignored (RFC 9110, 7.8). The connection must then be closed,
 * because Node's parser discards pipelined requests in the same packet; the client sends them again.
 */
export function isIgnoredUpgrade(req: IncomingMessage): boolean {
  return upgradeRequested.has(req) && !isHonoured(req);
}

/** Returns true for a WebSocket handshake, which has no body (RFC 6455, 4.1), and for CONNECT. */
function isHonoured({ method, url = '', headers }: IncomingMessage): boolean {
  if (method === 'CONNECT') return true;
  return (
    method === 'GET' &&
    (url === SOCKET_PATH || url.startsWith(`${SOCKET_PATH}?`)) &&
    /(^|[,\s])websocket($|[,\s])/i.test(headers.upgrade ?? '') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

const HOST = 'host';

/**
 * Rewrites the request target to origin form. The host of an absolute target replaces the `Host` header (RFC 9112,
 * 3.2.2). An invalid target, or more than one `Host` header (3.2), results in an empty host, which is rejected.
 */
export function normalizeTarget(req: IncomingMessage): void {
  const { url = '/' } = req;
  const target = originForm(url);
  if (target !== url) {
    if (isAbsolute(url)) req.headers.host = target === undefined ? '' : new URL(url).host;
    req.url = target ?? '/';
  }
  if (hostsIn(req.rawHeaders) > 1) req.headers.host = '';
}

/**
 * Returns the path and the query of a request target, or undefined if the target is invalid. Removes a fragment,
 * which is not part of a target and would make Express use a parser that replaces backslashes.
 */
export function originForm(url: string): string | undefined {
  if (isAbsolute(url)) {
    if (!URL.canParse(url)) return undefined;
    const { pathname, search } = new URL(url);
    return `${pathname}${search}`;
  }
  const fragment = url.indexOf('#');
  return fragment === -1 ? url : url.slice(0, fragment);
}

function isAbsolute(url: string): boolean {
  return !url.startsWith('/') && url !== '*';
}

/** @param raw alternating header names and values. */
function hostsIn(raw: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count;
}

/**
 * Preference headers are truncated to this length, because the cost of content negotiation is quadratic in the
 * length. Browsers' headers are shorter.
 */
const MAX_PREFERENCE_LENGTH = 512;

/** A parameter of a media type, with an optional quoted value, except the weight `q`. */
const MEDIA_PARAMETER = /;[ \t]*(?!q[ \t]*=)[^\s;,="]+(?:=(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?/gi;

/**
 * Removes parameters other than the weight from `Accept`. The gateway's types have no variants, so a client that
 * prefers `text/html;level=1` or `text/csv; charset=utf-8` accepts the type without the parameter.
 */
export function removeMediaParameters({ headers }: IncomingMessage): void {
  if (headers.accept?.includes(';')) headers.accept = headers.accept.replace(MEDIA_PARAMETER, '');
}

/** Truncates long preference headers (RFC 9110, 12.5) after the last complete item. */
export function shortenPreferences({ headers }: IncomingMessage): void {
  for (const name of ['accept', 'accept-language', 'accept-encoding'] as const) {
    const list = headers[name];
    if (list === undefined || list.length <= MAX_PREFERENCE_LENGTH) continue;
    headers[name] = list.slice(0, list.lastIndexOf(',', MAX_PREFERENCE_LENGTH));
  }
}

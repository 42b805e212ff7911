import { IncomingMessage } from 'node:http';

/** The one address that speaks another protocol. */
const SOCKET_PATH = '/drive';

const asking = new WeakSet<IncomingMessage>();

/**
 * A request whose `Upgrade` counts only where it can be honoured. Node drops the body of every request with such a header
 * as soon as a server has a listener for upgrades; it decides by the property `upgrade`, which it sets after parsing.
 */
export class UpgradableRequest extends IncomingMessage {
  set upgrade(asks: boolean | null) {
    if (asks) asking.add(this);
  }

  get upgrade(): boolean {
    return asking.has(this) && isHonoured(this);
  }
}

/** Whether this request goes on as a WebSocket. */
export function isUpgrade(req: IncomingMessage): boolean {
  return (req as UpgradableRequest).upgrade;
}

/**
 * Whether its `Upgrade` is ignored (RFC 9110, 7.8). Such a connection ends with its answer: Node's parser gives up what
 * comes behind the request in the same packet, and a client that is told so sends it again.
 */
export function isIgnoredUpgrade(req: IncomingMessage): boolean {
  return asking.has(req) && !isHonoured(req);
}

/** A handshake has no body (RFC 6455, 4.1). A tunnel is left to Node, which ends its connection. */
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

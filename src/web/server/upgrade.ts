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

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isLocalName, isLoopback, isPrivateAddress } from '../../access/private-address.js';
import { nameOf } from './origin.js';

export interface LocalRules {
  /** The gateway listens for this machine alone. */
  isLoopbackOnly: boolean;
  /** Whether this is the address of a proxy that writes `X-Forwarded-For`. */
  isProxy: (address: string) => boolean;
}

/**
 * Whether a request certainly comes from the own network, for `trusted-lan`. A proxy makes every client look like itself,
 * and need not say so: a request from this machine counts only when nobody else can reach the gateway, and one for a
 * public name or address never does.
 */
export function localCheck({ isLoopbackOnly, isProxy }: LocalRules): (req: IncomingMessage) => boolean {
  return (req) => {
    if (!isLocalName(nameOf(req.headers.host ?? ''))) return false;
    const peer = req.socket.remoteAddress ?? '';
    if (isProxy(peer)) {
      const client = clientAddress(req, isProxy);
      return isPrivateAddress(client) && !isLoopback(client) && !isProxy(client);
    }
    if (isForwarded(req.headers)) return false;
    return isLoopback(peer) ? isLoopbackOnly : isPrivateAddress(peer);
  };
}

/** The rightmost address of `X-Forwarded-For` that no trusted proxy has; the peer when it is none or names none. */
export function clientAddress({ headers, socket }: IncomingMessage, isProxy: LocalRules['isProxy']): string {
  const peer = socket.remoteAddress ?? '';
  if (!isProxy(peer)) return peer;
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim());
  return named.findLast((address) => address !== '' && !isProxy(address)) ?? peer;
}

/** Whether a request says of itself that it came through a proxy. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    'forwarded' in headers ||
    'via' in headers ||
    'x-forwarded-for' in headers ||
    'x-forwarded-host' in headers ||
    'x-forwarded-proto' in headers ||
    'x-real-ip' in headers
  );
}

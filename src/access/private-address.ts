import { isIP } from 'node:net';
import { addressList } from '../shared/addresses.js';

/** Of this machine alone. */
export const isLoopback = addressList(['127.0.0.0/8', '::1']);

/** Whether an address can only be one of this machine or of its own network. */
export const isPrivateAddress = addressList([
  ...['127.0.0.0/8', '::1'],
  // RFC 1918, link-local (RFC 3927), and their like in IPv6 (RFC 4193, RFC 4291).
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
]);

/** Names that the public DNS never has: one label, RFC 6762, RFC 8375, RFC 9476, and what home routers use. */
const LOCAL_NAME = /^[^.]+$|\.(local|lan|home|home\.arpa|internal|localdomain|localhost)$/;

/** Whether the name or address that a request was sent to, without its port, is one of the own network. */
export function isLocalName(name: string): boolean {
  return isIP(name) === 0 ? LOCAL_NAME.test(name) : isPrivateAddress(name);
}

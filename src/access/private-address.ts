import { isIP } from 'node:net';
import { addressList } from '../shared/addresses.js';

export const isLoopback = addressList(['127.0.0.0/8', '::1']);

/** True for loopback, private and link-local addresses. */
export const isPrivateAddress = addressList([
  ...['127.0.0.0/8', '::1'],
  // Sources: RFC 1918, RFC 3927 (link-local), RFC 4193 and RFC 4291 (IPv6).
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
]);

/**
 * Names that do not exist in the public DNS: single-label names, the suffixes of RFC 6762, RFC 8375 and RFC
 * 9476, and suffixes that home routers use.
 */
const LOCAL_NAME = /^[^.]+$|\.(local|lan|home|home\.arpa|internal|localdomain|localhost)$/;

/** True if a host name or an IP address belongs to the local network. The input must not contain a port. */
export function isLocalName(name: string): boolean {
  return isIP(name) === 0 ? LOCAL_NAME.test(name) : isPrivateAddress(name);
}

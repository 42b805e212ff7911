import { isIP } from 'node:net';
import { addressList } from '../shared/addresses.js';

export const isLoopback = addressList(['127.0.0.0/8', '::1']);

export const isPrivateAddress = addressList([
  ...['127.0.0.0/8', '::1'],
  // Sources: RFC 1918, RFC 3927 (link-local), RFC 4193 and RFC 4291 (IPv6).
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
]);

/** Names that are not in the public DNS: single labels, RFC 6762, RFC 8375, RFC 9476, home routers. */
const LOCAL_NAME = /^[^.]+$|\.(local|lan|home|home\.arpa|internal|localdomain|localhost)$/;

/** True if a host name or IP address, without a port, belongs to the local network. */
export function isLocalName(name: string): boolean {
  return isIP(name) === 0 ? LOCAL_NAME.test(name) : isPrivateAddress(name);
}

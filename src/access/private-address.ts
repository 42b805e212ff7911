import { isIP } from 'node:net';
import { addressList, PRIVATE_NETWORKS } from '../shared/addresses.js';

export const isLoopback = addressList(['127.0.0.0/8', '::1']);

export const isPrivateAddress = addressList(PRIVATE_NETWORKS);

/**
 * Names that are not in public DNS: single labels, names from RFC 6762, RFC 8375 and RFC 9476, router names.
 */
const LOCAL_NAME = /^[^.]+$|\.(local|lan|home|home\.arpa|internal|localdomain|localhost)$/;

/** True if a host name or IP address, without a port, belongs to the local network. */
export function isLocalName(name: string): boolean {
  return isIP(name) === 0 ? LOCAL_NAME.test(name) : isPrivateAddress(name);
}

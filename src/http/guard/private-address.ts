import { isIP } from 'node:net';
import { addressList, PRIVATE_NETWORKS } from '../../shared/addresses.js';

export const isLoopback = addressList(['127.0.0.0/8', '::1']);

export const isPrivateAddress = addressList(PRIVATE_NETWORKS);

/** Names that are not in public DNS: single labels, router names, and names from RFCs 6762, 8375 and 9476. */
const LOCAL_NAME = /^[^.]+$|\.(local|lan|home|home\.arpa|internal|localdomain|localhost)$/;

/** Returns true if a host name or IP address, without a port, belongs to the local network. */
export function isLocalName(name: string): boolean {
  return isIP(name) === 0 ? LOCAL_NAME.test(name) : isPrivateAddress(name);
}

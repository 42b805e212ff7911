import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from '../../http/guard/private-address.js';

/** Returns true if a gateway that listens on this host name or address is reachable from this machine only. */
export function isLocalOnly(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isLoopback(canonical(host));
}

/** Returns true if a gateway that listens on this address is reachable on all networks. */
export function isEveryAddress(host: string): boolean {
  return ['0.0.0.0', '::', '::ffff:0:0'].includes(canonical(host));
}

/** Shortens an IPv6 address: `0:0:0:0:0:0:0:1` becomes `::1`. */
function canonical(host: string): string {
  return isIPv6(host) ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host;
}

/**
 * Returns the gateway's `.local` name. It differs from the machine's host name, which the system's mDNS responder
 * already announces.
 */
export function localName(machine = machineSuffix()): string {
  return `cartwright-${machine}.local`;
}

/** Returns four characters that are constant on this machine and very likely to differ on other machines. */
export function machineSuffix(): string {
  let id = hostname();
  try {
    id = readFileSync('/etc/machine-id', 'utf8').trim() || id;
  } catch {
    // A machine without systemd may have no machine ID.
  }
  return createHash('sha256').update(`cartwright ${id}`).digest('hex').slice(0, 4);
}

/** Returns this machine's IPv4 and IPv6 addresses, excluding loopback addresses. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}

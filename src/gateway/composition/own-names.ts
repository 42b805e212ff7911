import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';

export function isLocalOnly(host: string): boolean {
  return /^(127\.|localhost$|::1$)/.test(host);
}

/** Differs from the machine's host name, which the system's mDNS responder already announces. */
export function localName(machine = machineSuffix()): string {
  return `cartwright-${machine}.local`;
}

/** Four characters that are constant on this machine and very likely to differ on other machines. */
export function machineSuffix(): string {
  let id = hostname();
  try {
    id = readFileSync('/etc/machine-id', 'utf8').trim() || id;
  } catch {
    // The machine does not use systemd.
  }
  return createHash('sha256').update(`cartwright ${id}`).digest('hex').slice(0, 4);
}

/** This machine's IPv4 and IPv6 addresses, excluding loopback addresses. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}

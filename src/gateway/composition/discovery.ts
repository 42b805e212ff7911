import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { mdnsAnnouncer } from '../../adapters/mdns.js';
import type { Announcement } from '../../shared/ports/discovery.js';
import { Discovery, type DiscoveryDeps } from '../../system/health/discovery.js';
import type { CoreServices } from '../core-services.js';

interface About {
  name: string;
  cartID: number;
  fleet: string;
  version: string;
}

/** Maximum length of a DNS label in bytes (RFC 1035, 2.3.4). */
const LABEL_BYTES = 63;

type DiscoveryServices = Pick<CoreServices, 'closers' | 'clock' | 'log'> & {
  config: Pick<CoreServices['config'], 'host'>;
  settings: Pick<CoreServices['settings'], 'current' | 'onChange'>;
};

export function openDiscovery(
  { config, closers, settings, clock, log }: DiscoveryServices,
  about: () => About,
  url: string,
  { announce, addresses }: Pick<DiscoveryDeps, 'announce' | 'addresses'> = {
    announce: mdnsAnnouncer(),
    addresses: ownAddresses,
  },
): void {
  if (isLocalOnly(config.host)) return;
  const suffix = machineSuffix();
  const discovery = new Discovery({
    ...{ announce, addresses, clock, log },
    announcement: () =>
      settings.current.gateway.announce ? announcementOf(about(), new URL(url), suffix) : undefined,
  });
  settings.onChange(({ changed }) => void (changed.includes('gateway') && discovery.refresh()));
  discovery.start();
  closers.defer('discovery', () => discovery.close());
}

export function isLocalOnly(host: string): boolean {
  return /^(127\.|localhost$|::1$)/.test(host);
}

/** @param machine suffix that distinguishes gateways that use the default name. */
export function announcementOf(
  { name, cartID, fleet, version }: About,
  { protocol, port }: URL,
  machine: string,
): Announcement {
  const tls = protocol === 'https:';
  const suffix = ` (${machine})`;
  return {
    name: cutToBytes(name, LABEL_BYTES - suffix.length) + suffix,
    host: localName(machine),
    port: Number(port) || (tls ? 443 : 80),
    txt: { path: '/', cartID: String(cartID), fleet, version, tls: tls ? '1' : '0' },
  };
}

/** Differs from the machine's host name, which the system's mDNS responder already announces. */
export function localName(machine = machineSuffix()): string {
  return `cartwright-${machine}.local`;
}

/** Four characters that are constant on this machine and very likely to differ on other machines. */
function machineSuffix(): string {
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

function cutToBytes(text: string, bytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
}

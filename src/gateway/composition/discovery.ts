import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { mdnsAnnouncer } from '../../adapters/mdns.js';
import type { Announcement } from '../../shared/ports/discovery.js';
import { Discovery, type DiscoveryDeps } from '../../system/health/discovery.js';
import type { CoreServices } from '../core-services.js';

/** What a gateway says of itself that others may want to choose by. */
interface About {
  name: string;
  cartID: number;
  fleet: string;
  version: string;
}

/** A label of the DNS is no longer than this (RFC 1035, 2.3.4). */
const LABEL_BYTES = 63;

/** What of the core the announcement stands on. */
type Ground = Pick<CoreServices, 'closers' | 'clock' | 'log'> & {
  config: Pick<CoreServices['config'], 'host'>;
  settings: Pick<CoreServices['settings'], 'current' | 'onChange'>;
};

/** Tells the local network where the gateway is, unless it listens to its own machine only. */
export function openDiscovery(
  { config, closers, settings, clock, log }: Ground,
  about: () => About,
  url: string,
  { announce, addresses }: Pick<DiscoveryDeps, 'announce' | 'addresses'> = {
    announce: mdnsAnnouncer(),
    addresses: ownAddresses,
  },
): void {
  if (isLocalOnly(config.host)) return;
  const machine = machineMark();
  const discovery = new Discovery({
    ...{ announce, addresses, clock, log },
    announcement: () =>
      settings.current.gateway.announce ? announcementOf(about(), new URL(url), machine) : undefined,
  });
  settings.onChange(({ changed }) => void (changed.includes('gateway') && discovery.refresh()));
  discovery.start();
  closers.defer('discovery', () => discovery.close());
}

/** Whether only programs on this machine reach a gateway that listens on `host`. */
export function isLocalOnly(host: string): boolean {
  return /^(127\.|localhost$|::1$)/.test(host);
}

/** @param machine tells gateways apart that nobody has given a name yet. */
export function announcementOf(
  { name, cartID, fleet, version }: About,
  { protocol, port }: URL,
  machine: string,
): Announcement {
  const tls = protocol === 'https:';
  const mark = ` (${machine})`;
  return {
    name: cutToBytes(name, LABEL_BYTES - mark.length) + mark,
    host: localName(machine),
    port: Number(port) || (tls ? 443 : 80),
    txt: { path: '/', cartID: String(cartID), fleet, version, tls: tls ? '1' : '0' },
  };
}

/**
 * The name that the announcement leads to. Not the machine's own: that one is told by the system's responder, which
 * takes a second teller for another machine of the same name.
 */
export function localName(machine = machineMark()): string {
  return `cartwright-${machine}.local`;
}

/** Four characters that stay the same on this machine, and most likely differ on any other. */
function machineMark(): string {
  let id = hostname();
  try {
    id = readFileSync('/etc/machine-id', 'utf8').trim() || id;
  } catch {
    // Not a machine with systemd.
  }
  return createHash('sha256').update(`cartwright ${id}`).digest('hex').slice(0, 4);
}

/** Addresses of this machine on its networks, IPv4 and IPv6. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.filter(({ internal }) => !internal).map(({ address }) => address);
}

function cutToBytes(text: string, bytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
}

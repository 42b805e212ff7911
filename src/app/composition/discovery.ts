import { mdnsAnnouncer } from '../../adapters/mdns.js';
import type { Announcement } from '../../shared/ports/discovery.js';
import { Discovery, type DiscoveryDeps } from '../../system/index.js';
import type { CoreServices } from '../core-services.js';
import { isLocalOnly, localName, machineSuffix, ownAddresses } from './own-names.js';

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
    announce,
    addresses,
    clock,
    log,
    announcement: () =>
      settings.current.gateway.announce ? announcementOf(about(), new URL(url), suffix) : undefined,
  });
  settings.onChange(({ changed }) => void (changed.includes('gateway') && discovery.refresh()));
  discovery.start();
  closers.defer('discovery', () => discovery.close());
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

function cutToBytes(text: string, bytes: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
}

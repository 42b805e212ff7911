import { mdnsAnnouncer } from '../../adapters/mdns.js';
import type { Announcement } from '../../shared/ports/discovery.js';
import { Discovery, type DiscoveryDeps } from '../../system/index.js';
import type { AppContext } from '../context.js';
import { isLocalOnly, localName, machineSuffix, ownAddresses } from './own-names.js';

interface About {
  name: string;
  cartID: number;
  fleet: string;
  version: string;
}

/** Maximum length of a DNS label in bytes (RFC 1035, 2.3.4). */
const LABEL_BYTES = 63;

type DiscoveryServices = Pick<AppContext, 'clock' | 'log'> & {
  config: Pick<AppContext['config'], 'host'>;
  settings: Pick<AppContext['settings'], 'current' | 'onChange'>;
};

/** Announces the gateway by mDNS, unless only this machine can reach it. */
export function openDiscovery(
  { config, settings, clock, log }: DiscoveryServices,
  { facts }: { facts: { readonly url: string; about(): About } },
  { announce, addresses }: Pick<DiscoveryDeps, 'announce' | 'addresses'> = {
    announce: mdnsAnnouncer(),
    addresses: ownAddresses,
  },
): Discovery | undefined {
  if (isLocalOnly(config.host)) return undefined;
  const suffix = machineSuffix();
  const discovery = new Discovery({
    announce,
    addresses,
    clock,
    log,
    announcement: () =>
      settings.current.gateway.announce
        ? announcementOf(facts.about(), new URL(facts.url), suffix)
        : undefined,
  });
  settings.onChange(({ changed }) => void (changed.includes('gateway') && discovery.refresh()));
  discovery.start();
  return discovery;
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

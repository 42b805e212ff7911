import type { EventEmitter } from 'node:events';
import { networkInterfaces } from 'node:os';
import type { Announce, Announcement } from '../shared/ports/discovery.js';

/** `_http._tcp` is for service browsers; gateways discover each other by `_cartwright._tcp`. */
const TYPES = ['http', 'cartwright'];

export interface MdnsOptions {
  port?: number;
  interface?: string;
  bind?: string;
}

/** bonjour-service does not declare `server`. If `mdns` has no error listener, an error ends the process. */
interface BonjourInternals {
  server: { mdns: EventEmitter };
}

/** Announces services by mDNS (RFC 6762, 6763) on all current networks. Rejects if an announcement fails. */
export function mdnsAnnouncer(options: MdnsOptions = {}): Announce {
  return async (announcement) => {
    const networks = options.interface === undefined ? ownNetworks() : [options];
    if (networks.length === 0) throw new Error('no network interface has an IPv4 address');
    const results = await Promise.allSettled(
      networks.map((network) => announce(announcement, { ...options, ...network })),
    );
    const close = async (): Promise<void> => {
      await Promise.all(results.map((result) => result.status === 'fulfilled' && result.value.close()));
    };
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return { close };
    await close();
    throw failed.reason;
  };
}

/**
 * One set of socket options per network: a single socket would use only one network, and a socket
 * bound to an address receives no multicast.
 */
function ownNetworks(): MdnsOptions[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => {
    const own = addresses?.find(({ family, internal }) => family === 'IPv4' && !internal);
    return own ? [{ interface: own.address, bind: '0.0.0.0' }] : [];
  });
}

async function announce({ name, host, port, txt }: Announcement, options: MdnsOptions): ReturnType<Announce> {
  const { default: Bonjour } = await import('bonjour-service');
  const bonjour = new Bonjour(options, () => undefined);
  const { mdns } = (bonjour as unknown as BonjourInternals).server;
  try {
    await new Promise((resolve, reject) => {
      mdns.on('error', reject);
      mdns.once('ready', resolve);
    });
  } catch (error) {
    bonjour.destroy();
    throw error;
  }
  // Probing is off: names are unique, and the package prints conflicts to standard output, which is the log.
  for (const type of TYPES) bonjour.publish({ name, host, port, txt, type, probe: false });
  return {
    async close() {
      await new Promise<void>((resolve) => bonjour.unpublishAll(() => resolve()));
      await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
    },
  };
}

import type { EventEmitter } from 'node:events';
import { networkInterfaces } from 'node:os';
import type { Announce, Announcement } from '../shared/ports/ports.js';

/** `_http._tcp` for browsers of services, `_cartwright._tcp` for whoever looks for gateways. */
const TYPES = ['http', 'cartwright'];

/** Where multicast goes; tests stay on their own machine and off the port of everyone else. */
export interface MdnsOptions {
  port?: number;
  interface?: string;
  bind?: string;
}

/** What we reach for inside the package: an error that nobody listens to would end the process. */
interface Inside {
  server: { mdns: EventEmitter };
}

/**
 * Announcements by multicast DNS (RFC 6762, 6763), on every network that there is when they are made. The package is
 * loaded with the first one.
 */
export function mdnsAnnouncer(options: MdnsOptions = {}): Announce {
  return async (what) => {
    const places = options.interface === undefined ? ownNetworks() : [options];
    if (places.length === 0) throw new Error('there is no network with an IPv4 address');
    const told = await Promise.allSettled(places.map((place) => tell(what, { ...options, ...place })));
    const close = async (): Promise<void> => {
      await Promise.all(told.map((one) => one.status === 'fulfilled' && one.value.close()));
    };
    const refused = told.find((one) => one.status === 'rejected');
    if (!refused) return { close };
    await close();
    throw refused.reason;
  };
}

/**
 * A socket tells one network: the one to which a route for multicast leads, and without such a route, on a network with
 * no way out of it, none. So each network has a socket of its own, bound to no address, for else it would not hear the
 * group.
 */
function ownNetworks(): MdnsOptions[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => {
    const own = addresses?.find(({ family, internal }) => family === 'IPv4' && !internal);
    return own ? [{ interface: own.address, bind: '0.0.0.0' }] : [];
  });
}

async function tell({ name, host, port, txt }: Announcement, options: MdnsOptions): ReturnType<Announce> {
  const { default: Bonjour } = await import('bonjour-service');
  const bonjour = new Bonjour(options, () => undefined);
  const { mdns } = (bonjour as unknown as Inside).server;
  try {
    await new Promise((resolve, reject) => {
      mdns.on('error', reject);
      mdns.once('ready', resolve);
    });
  } catch (error) {
    bonjour.destroy();
    throw error;
  }
  // Names are made to be unique. The package would tell of one that is not on standard output, where the log is.
  for (const type of TYPES) bonjour.publish({ name, host, port, txt, type, probe: false });
  return {
    async close() {
      await new Promise<void>((resolve) => bonjour.unpublishAll(() => resolve()));
      await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
    },
  };
}

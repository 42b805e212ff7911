import type { EventEmitter } from 'node:events';
import type { Announce } from '../ports.js';

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

/** Announcements by multicast DNS (RFC 6762, 6763); the package is loaded with the first one. */
export function mdnsAnnouncer(options: MdnsOptions = {}): Announce {
  return async ({ name, host, port, txt }) => {
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
  };
}

import type { Foundation } from '../core-services.js';
import type { Carts } from '../parts/carts.js';
import { isLocalOnly, localName, ownAddresses } from '../parts/discovery.js';
import { aboutGateway } from '../web/web.js';
import type { StartFacts } from './banner.js';

const MAX_ADDRESSES = 3;

/** What the banner shows. @param url the URL for this machine. */
export function startFacts(foundation: Foundation, carts: Carts, url: string): StartFacts {
  const { config, settings, access } = foundation;
  const { name, version, simulated } = aboutGateway({ foundation, carts });
  const servesAll = config.host === '0.0.0.0' || config.host === '::';
  const addresses = ownAddresses().filter((address) => !address.includes(':'));
  const mdns = settings.current.gateway.announce && !isLocalOnly(config.host) ? [localName()] : [];
  const { protocol, port } = new URL(url);
  const hosts = servesAll ? addresses.slice(0, MAX_ADDRESSES) : [];
  const elsewhere = [...hosts, ...(addresses.length > 0 ? mdns : [])];
  return {
    ...{ name, version, simulated, url },
    controller: carts.link.view().path,
    elsewhere: elsewhere.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`),
    loginRequired: config.auth === 'required',
    dataDir: config.dataDir,
    setupUrl: access.setup.link(url),
  };
}

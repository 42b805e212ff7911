import { packageVersion } from '../../shared/package-root.js';
import type { AppContext } from '../context.js';
import type { StartFacts } from '../start/banner.js';
import type { OwnCart } from './create-cart.js';
import { isEveryAddress, isLocalOnly, localName, ownAddresses } from './own-names.js';

const MAX_ADDRESSES = 3;

/** The gateway's name and version, for pages, monitoring and discovery. */
export interface AboutGateway {
  name: string;
  cartID: number;
  fleet: string;
  simulated: boolean;
  version: string;
}

/** Information that the gateway publishes about itself. */
export class GatewayFacts {
  readonly #context: AppContext;
  readonly #link: OwnCart['link'];
  /** The server replaces this URL when it is listening. */
  url = 'http://localhost';

  constructor(context: AppContext, { ownCart }: { ownCart: Pick<OwnCart, 'link'> }) {
    this.#context = context;
    this.#link = ownCart.link;
  }

  about(): AboutGateway {
    const { identity, settings } = this.#context;
    return {
      name: settings.current.gateway.name,
      cartID: identity.cartId,
      fleet: identity.fleet,
      simulated: this.#link.simulated,
      version: packageVersion(),
    };
  }

  atStart(): StartFacts {
    const { config, access } = this.#context;
    const { name, version, simulated } = this.about();
    return {
      name,
      version,
      simulated,
      url: this.url,
      controller: this.#link.view().path,
      elsewhere: this.#elsewhere(),
      loginRequired: config.auth === 'required',
      dataDir: config.dataDir,
      setupUrl: access.setup.link(this.url),
    };
  }

  /** Returns the URL for other machines, preferably with a `.local` name, or else the local URL. */
  get urlForOthers(): string {
    const elsewhere = this.#elsewhere();
    return elsewhere.find((address) => address.includes('.local')) ?? elsewhere[0] ?? this.url;
  }

  #elsewhere(): string[] {
    const { config, settings } = this.#context;
    const addresses = ownAddresses().filter((address) => !address.includes(':'));
    const mdns = settings.current.gateway.announce && !isLocalOnly(config.host) ? [localName()] : [];
    const hosts = isEveryAddress(config.host) ? addresses.slice(0, MAX_ADDRESSES) : [];
    const { protocol, port } = new URL(this.url);
    return [...hosts, ...(addresses.length > 0 ? mdns : [])].map(
      (host) => `${protocol}//${host}${port ? `:${port}` : ''}`,
    );
  }
}

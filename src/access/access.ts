import type { Clock, Log, Store } from '../ports.js';
import { Hasher } from './hasher.js';
import { ApiKeys } from './keys.js';
import { Logins } from './logins.js';
import { isNear } from './network.js';
import type { HashCost } from './password.js';
import { AccessReads } from './reads.js';
import type { Principal } from './schema.js';
import { Sessions } from './sessions.js';
import { Setup } from './setup.js';
import { Users } from './users.js';

export interface AccessOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** Where the setup code is written. */
  dataDir: string;
  /** `trusted-lan`: whoever is on this network may do what an operator may. */
  mode: 'required' | 'trusted-lan';
  env: NodeJS.ProcessEnv;
  /** For tests. */
  hashCost?: HashCost;
}

/** What a request brings along to show who it is from. */
export interface Credentials {
  /** The session's cookie. */
  cookie?: string | undefined;
  apiKey?: string | undefined;
  /** Whether the request says of itself that it came through a proxy. */
  isForwarded: boolean;
  /** The address of the other end of the connection. */
  peer: string;
}

/** The room that knows who may come in. */
export class Access {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly logins: Logins;
  readonly keys: ApiKeys;
  readonly setup: Setup;
  readonly hasher: Hasher;
  readonly #o: AccessOptions;

  private constructor(o: AccessOptions) {
    this.#o = o;
    const reads = new AccessReads(o.store.read);
    const deps = { ...o, reads };
    this.hasher = new Hasher(o.hashCost);
    this.sessions = new Sessions(deps);
    this.logins = new Logins({ ...deps, sessions: this.sessions, hasher: this.hasher });
    this.keys = new ApiKeys(deps);
    this.users = new Users({ ...deps, hasher: this.hasher, logins: this.logins });
    this.setup = new Setup({ ...deps, users: this.users, logins: this.logins });
  }

  /** Ready to let people in. Rejects with `CONFIG_INVALID` when the administrator of the environment cannot be made. */
  static async open(o: AccessOptions): Promise<Access> {
    const access = new Access(o);
    await access.setup.open();
    access.sessions.start();
    if (o.mode === 'trusted-lan') {
      o.log.warn('access.open_network', { notice: 'nobody logs in: everybody on this network may drive' });
    }
    return access;
  }

  /** Whether nobody has to log in to drive. */
  get isTrustedLan(): boolean {
    return this.#o.mode === 'trusted-lan';
  }

  /** Who asks. A key that is not good makes nobody of its holder, whatever cookie or network it comes with. */
  principalOf(credentials: Credentials): Principal {
    const { apiKey, cookie } = credentials;
    if (apiKey !== undefined) return this.keys.find(apiKey) ?? { kind: 'nobody' };
    const user = cookie === undefined ? undefined : this.sessions.find(cookie);
    return user ?? { kind: this.isTrusted(credentials) ? 'lan' : 'nobody' };
  }

  /** Whether who was let in would be let in still, as the same. It marks nothing as seen. */
  isStillGood(principal: Principal): boolean {
    switch (principal.kind) {
      case 'user':
        return this.sessions.isGood(principal);
      case 'key':
        return this.keys.isGood(principal.keyId);
      case 'lan':
        return true;
      case 'nobody':
        return false;
    }
  }

  /**
   * Whether somebody without a name counts as an operator. Never behind a proxy, where every address is the proxy's,
   * and never from beyond the own network.
   */
  isTrusted({ isForwarded, peer }: Credentials): boolean {
    return this.isTrustedLan && !isForwarded && isNear(peer);
  }

  async close(): Promise<void> {
    this.sessions.close();
    await this.setup.close();
  }
}

import type { Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import type { Store } from '../shared/ports/store.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { AccessReads } from './reads.js';
import type { Principal } from './schema.js';
import { TotpEnrolment } from './second-factor/enrolment.js';
import { TotpKey } from './second-factor/key.js';
import { SecondFactorReads } from './second-factor/reads.js';
import { SecondFactor } from './second-factor/second-factor.js';
import { Logins } from './sessions/logins.js';
import { Sessions } from './sessions/sessions.js';
import { StopTokens } from './sessions/stop-tokens.js';
import { Hasher } from './users/hasher.js';
import type { HashCost } from './users/password.js';
import { Setup } from './users/setup.js';
import { Users } from './users/users.js';

interface AccessOptions {
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
  /** The cookies that may be the session's. */
  cookies?: readonly string[];
  apiKey?: string | undefined;
  /** Whether the request certainly comes from the own network. */
  isLocal: () => boolean;
}

/** The room that knows who may come in. */
export class Access {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly logins: Logins;
  readonly keys: ApiKeys;
  readonly setup: Setup;
  readonly factor: SecondFactor;
  readonly totp: TotpEnrolment;
  readonly hasher: Hasher;
  readonly stopTokens: StopTokens;
  readonly #o: AccessOptions;

  private constructor(o: AccessOptions, key: TotpKey) {
    this.#o = o;
    const reads = new AccessReads(o.store.read);
    const factorReads = new SecondFactorReads(o.store.read);
    const deps = { ...o, reads };
    this.hasher = new Hasher(o.hashCost);
    this.sessions = new Sessions(deps);
    this.stopTokens = new StopTokens(deps);
    this.factor = new SecondFactor({ ...o, reads: factorReads, key });
    const { sessions, hasher, factor } = this;
    this.logins = new Logins({ ...deps, sessions, hasher, factor });
    this.totp = new TotpEnrolment({ ...deps, factorReads, factor, key, logins: this.logins });
    this.keys = new ApiKeys(deps);
    this.users = new Users({ ...deps, hasher, logins: this.logins });
    this.setup = new Setup({ ...deps, users: this.users, logins: this.logins });
  }

  /** Ready to let people in. Rejects with `CONFIG_INVALID` when the administrator of the environment cannot be made. */
  static async open(o: AccessOptions): Promise<Access> {
    const access = new Access(o, await TotpKey.load(o.dataDir, o.log));
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
    const { apiKey, cookies = [] } = credentials;
    if (apiKey !== undefined) return this.keys.find(apiKey) ?? { kind: 'nobody' };
    const user = this.sessions.findFirst(cookies);
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

  /** As `isStillGood`; a page that is open counts as use of its session. */
  watches(principal: Principal): boolean {
    return principal.kind === 'user' ? this.sessions.watches(principal) : this.isStillGood(principal);
  }

  /** What a command of this principal lasts no longer than: the session or key, not the user. */
  authorityOf(principal: Principal): { id: string; isGood(): boolean } {
    return { id: authorityId(principal), isGood: () => this.isStillGood(principal) };
  }

  /** Whether a request without a login counts as an operator's. */
  isTrusted({ isLocal }: Pick<Credentials, 'isLocal'>): boolean {
    return this.isTrustedLan && isLocal();
  }

  async close(): Promise<void> {
    this.sessions.close();
    await this.setup.close();
  }
}

function authorityId(principal: Principal): string {
  if (principal.kind === 'user') return `session ${principal.sessionId} ${principal.role}`;
  return principal.kind === 'key' ? `key ${principal.keyId}` : principal.kind;
}

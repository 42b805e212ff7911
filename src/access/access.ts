import type { Credentials, Principal } from '../http/guard/authenticator.js';
import type { Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import type { Store } from '../shared/ports/store.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { AccessReads } from './reads.js';
import { TotpEnrolment } from './second-factor/enrolment.js';
import { TotpKey } from './second-factor/key.js';
import { SecondFactorReads } from './second-factor/reads.js';
import { SecondFactor } from './second-factor/second-factor.js';
import { Logins } from './sessions/logins.js';
import { Sessions } from './sessions/sessions.js';
import { StopTokens } from './sessions/stop-tokens.js';
import { Hasher } from './users/hash-queue.js';
import type { HashCost } from './users/password-hash.js';
import { Setup } from './users/setup.js';
import { Users } from './users/users.js';

interface AccessOptions {
  store: Store;
  clock: Clock;
  log: Log;
  dataDir: string;
  /** `trusted-lan`: requests from the local network have operator rights and need no login. */
  mode: 'required' | 'trusted-lan';
  env: NodeJS.ProcessEnv;
  setupCode?: string | undefined;
  hashCost?: HashCost;
}

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

  /** Rejects with `CONFIG_INVALID` if the administrator defined in the environment cannot be created. */
  static async open(o: AccessOptions): Promise<Access> {
    const access = new Access(o, await TotpKey.load(o.dataDir, o.log));
    await access.setup.open();
    access.sessions.start();
    if (o.mode === 'trusted-lan') {
      o.log.warn('access.trusted_lan_enabled', {
        notice: 'no login required: everyone on this network can drive',
      });
    }
    return access;
  }

  get isTrustedLan(): boolean {
    return this.#o.mode === 'trusted-lan';
  }

  /** A request with an invalid API key is anonymous, even with a valid cookie or from the local network. */
  principalOf(credentials: Credentials): Principal {
    const { apiKey, cookies = [] } = credentials;
    if (apiKey !== undefined) return this.keys.find(apiKey) ?? { kind: 'anonymous' };
    const user = this.sessions.findFirst(cookies);
    return user ?? { kind: this.isTrusted(credentials) ? 'lan' : 'anonymous' };
  }

  /** Returns true if the principal still has access. Does not extend the session. */
  isValid(principal: Principal): boolean {
    switch (principal.kind) {
      case 'user':
        return this.sessions.isValid(principal);
      case 'key':
        return this.keys.isGood(principal.keyId);
      case 'lan':
        return true;
      case 'anonymous':
        return false;
    }
  }

  /** Like `isValid`, but restarts the session's idle timeout, so that an open page stays logged in. */
  keepAlive(principal: Principal): boolean {
    return principal.kind === 'user' ? this.sessions.keepAlive(principal) : this.isValid(principal);
  }

  /** Returns the session or API key that must remain valid while this principal's commands run. */
  authorityOf(principal: Principal): { id: string; isGood(): boolean } {
    return { id: authorityId(principal), isGood: () => this.isValid(principal) };
  }

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

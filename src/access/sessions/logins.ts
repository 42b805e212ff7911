import { ipPrefixOf } from '../../shared/addresses.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import type { AccessReads, Account } from '../reads.js';
import { type LoginCodeInput, type LoginInput, loginCodeSchema, loginSchema } from '../schema.js';
import { type PendingLogin, PendingLogins } from '../second-factor/pending-logins.js';
import { type SecondFactor, TotpRequired } from '../second-factor/second-factor.js';
import { checked, usernameKey } from '../users/credential-checks.js';
import type { Hasher } from '../users/hash-queue.js';
import { LoginLimits } from './login-limits.js';
import type { ClientInfo, Sessions } from './sessions.js';

const checkLogin = checkerFor<LoginInput>(loginSchema);
const checkLoginCode = checkerFor<LoginCodeInput>(loginCodeSchema);

interface LoginsDeps {
  reads: AccessReads;
  sessions: Sessions;
  hasher: Hasher;
  factor: SecondFactor;
  clock: Clock;
  log: Log;
}

/** `cookie` is the secret; `id` is not secret. */
export interface LoggedIn {
  id: string;
  cookie: string;
  username: string;
  /** True if the session permits only reading and stopping, because it could not be saved. */
  stopsOnly: boolean;
}

/** The response and its timing are the same for a wrong password, an unknown user and a disabled user. */
export class Logins {
  readonly #deps: LoginsDeps;
  readonly #pending: PendingLogins;
  readonly limits: LoginLimits;

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
    this.#pending = new PendingLogins(deps.clock);
    this.limits = new LoginLimits(deps.clock);
  }

  /** Throws `INVALID_INPUT`, `INVALID_CREDENTIALS`, `RATE`, `TotpRequired`, `TOTP_INVALID` or a store error. */
  async login(input: unknown, client: ClientInfo): Promise<LoggedIn> {
    const { username, password, code } = checked(checkLogin, input);
    const name = usernameKey(username);
    const account = this.#deps.reads.accountByName(username);
    const { renewed: renewedPhc } = await this.limits.limitSuccesses(client.ip, name, () =>
      this.check(password, account, name, client.ip),
    );
    if (!account) throw wrongCredentials();
    if (!code && this.#deps.factor.isOn(account.id)) {
      throw new TotpRequired(this.#pending.add({ account, renewedPhc }));
    }
    return this.#open({ account, renewedPhc }, code, client);
  }

  /** Throws `NOT_LOGGED_IN` if the token from `TotpRequired` has expired, or any error that `login` throws. */
  async loginWithCode(input: unknown, client: ClientInfo): Promise<LoggedIn> {
    const { login, code } = checked(checkLoginCode, input);
    const pending = this.#pending.find(login);
    if (!pending) {
      throw new GatewayError('NOT_LOGGED_IN', accessMessage('login-expired'), {
        hint: accessMessage('log-in-again'),
      });
    }
    const session = await this.#open(pending, code, client);
    this.#pending.remove(login);
    return session;
  }

  async #open(
    { account, renewedPhc }: PendingLogin,
    code: string | undefined,
    client: ClientInfo,
  ): Promise<LoggedIn> {
    const { sessions, factor, log } = this.#deps;
    const proof = { renewedPhc, factor: factor.check(account.id, code, client.ip) };
    const opened = await sessions.open(account, client, proof);
    if (!opened) throw wrongCredentials();
    const { id: userId, username } = account;
    const { ip } = client;
    log.info('access.logged_in', { userId, username, ip, factor: proof.factor?.kind ?? 'none' });
    if (proof.factor?.kind === 'recovery') log.warn('access.recovery_code_used', { userId, username, ip });
    return { ...opened, username };
  }

  /**
   * Checks a password, subject to the login limits. Throws `INVALID_CREDENTIALS` or `RATE`.
   * @param name from `usernameKey`.
   */
  async check(
    password: string,
    account: Account | undefined,
    name: string,
    ip: string,
  ): Promise<{ renewed: string | null }> {
    const attempt = this.limits.begin(ip, name);
    let result: { ok: boolean; renewed: string | null };
    try {
      result = await this.#deps.hasher.verify(password, account?.phc, { address: ipPrefixOf(ip), name });
    } catch (error) {
      attempt.refund();
      throw error;
    }
    if (!result.ok || account?.disabledAt !== null) {
      // An unknown username is not logged, because it may be a password entered in the wrong field.
      this.#deps.log.warn('access.login_failed', { ...(account ? { username: account.username } : {}), ip });
      throw wrongCredentials();
    }
    attempt.succeed();
    return result;
  }
}

function wrongCredentials(): GatewayError {
  return new GatewayError('INVALID_CREDENTIALS', accessMessage('wrong-credentials'));
}

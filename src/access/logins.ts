import type { Clock, Log } from '../ports.js';
import { GatewayError } from '../util/errors.js';
import { householdOf } from '../util/household.js';
import { checkerFor } from '../util/validate.js';
import { checked, usernameKey } from './check.js';
import type { Hasher } from './hasher.js';
import { RateLimit } from './rate-limit.js';
import type { AccessReads, Account } from './reads.js';
import { type LoginInput, loginSchema } from './schema.js';
import type { Sessions, Visitor } from './sessions.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const checkLogin = checkerFor<LoginInput>(loginSchema);

export interface LoginsDeps {
  reads: AccessReads;
  sessions: Sessions;
  hasher: Hasher;
  clock: Clock;
  log: Log;
}

/** A session that has just begun. `cookie` is the secret; `id` may be shown. */
export interface LoggedIn {
  id: string;
  cookie: string;
  username: string;
}

/**
 * Checks passwords, in time and words the same for a wrong one, an unknown name and a disabled account. An account is
 * never locked for everybody, or anybody could lock anybody out: what is limited is a name from one address, and an
 * address.
 */
export class Logins {
  readonly #deps: LoginsDeps;
  readonly #byPair: RateLimit;
  readonly #byAddress: RateLimit;

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
    const { clock } = deps;
    const quarter = 15 * MINUTE_MS;
    this.#byPair = new RateLimit({
      most: 5,
      windowMs: quarter,
      blockMs: quarter,
      blockMostMs: HOUR_MS,
      clock,
    });
    this.#byAddress = new RateLimit({
      most: 30,
      windowMs: HOUR_MS,
      blockMs: HOUR_MS,
      blockMostMs: HOUR_MS,
      clock,
    });
  }

  /** Throws `INVALID_INPUT`, `INVALID_CREDENTIALS`, `RATE`, and what the store throws. */
  async login(input: unknown, visitor: Visitor): Promise<LoggedIn> {
    const { username, password } = checked(checkLogin, input);
    const { reads, sessions, log } = this.#deps;
    const account = reads.accountByName(usernameKey(username));
    const { renewed } = await this.check(password, account, usernameKey(username), visitor.ip);
    const opened = account && (await sessions.open(account, visitor, renewed));
    if (!opened) throw wrong();
    log.info('access.logged_in', { userId: account.id, ip: visitor.ip });
    return { ...opened, username: account.username };
  }

  /**
   * Checks the password of an account, within the limits. Throws `INVALID_CREDENTIALS` or `RATE`.
   * @param name what the limits know the account by: `usernameKey` of what was typed.
   */
  async check(
    password: string,
    account: Account | undefined,
    name: string,
    ip: string,
  ): Promise<{ renewed: string | null }> {
    const address = householdOf(ip);
    const pair = `${address} ${name}`;
    this.takeAttempt(ip);
    this.#takePair(pair, ip);
    let result: { ok: boolean; renewed: string | null };
    try {
      result = await this.#deps.hasher.verify(password, account?.phc);
    } catch (error) {
      // Nothing was tried, so nothing counts.
      this.#byPair.giveBack(pair);
      this.#byAddress.giveBack(address);
      throw error;
    }
    if (!result.ok || account?.disabledAt !== null) {
      this.#deps.log.warn('access.login_failed', { ip });
      throw wrong();
    }
    this.#byPair.forget(pair);
    this.#byAddress.giveBack(address);
    return result;
  }

  /** Counts one attempt of an address at any secret. Throws `RATE`. */
  takeAttempt(ip: string): void {
    this.#byAddress.take(householdOf(ip));
  }

  #takePair(pair: string, ip: string): void {
    try {
      this.#byPair.take(pair);
    } catch (error) {
      this.#byAddress.giveBack(householdOf(ip));
      throw error;
    }
  }
}

function wrong(): GatewayError {
  return new GatewayError('INVALID_CREDENTIALS', 'the user name or the password is wrong');
}

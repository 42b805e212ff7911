import { ipPrefixOf } from '../../shared/addresses.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import { RateLimit } from '../rate-limit.js';
import type { AccessReads, Account } from '../reads.js';
import { type LoginCodeInput, type LoginInput, loginCodeSchema, loginSchema } from '../schema.js';
import { type PendingLogin, PendingLogins } from '../second-factor/pending-logins.js';
import { type SecondFactor, TotpRequired } from '../second-factor/second-factor.js';
import { TokenBucket } from '../token-bucket.js';
import { checked, usernameKey } from '../users/check.js';
import type { Hasher } from '../users/hasher.js';
import type { Sessions, Visitor } from './sessions.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
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

/** A session that has just begun. `cookie` is the secret; `id` may be shown. */
export interface LoggedIn {
  id: string;
  cookie: string;
  username: string;
}

/** Accounts and addresses that belong together; the oldest is forgotten first. */
const MAX_KNOWN = 10_000;

/**
 * Checks passwords, in time and words the same for a wrong one, an unknown name and a disabled account. An account is
 * never locked for everybody, or anybody could lock anybody out: what is limited is a name from one address, and the rate
 * of failures of an address. A name that has logged in from an address passes the latter: behind a proxy many share one.
 */
export class Logins {
  readonly #deps: LoginsDeps;
  readonly #failures: RateLimit;
  readonly #successes: TokenBucket;
  readonly #byAddress: TokenBucket;
  /** Names that have logged in, with their address. */
  readonly #known = new Set<string>();
  readonly #pending: PendingLogins;

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
    const { clock } = deps;
    this.#pending = new PendingLogins(clock);
    const quarter = 15 * MINUTE_MS;
    this.#failures = new RateLimit({
      ...{ most: 5, windowMs: quarter, blockMs: quarter, blockMostMs: HOUR_MS, clock },
    });
    this.#successes = new TokenBucket({ burst: 60, refillMs: 15_000, clock });
    this.#byAddress = new TokenBucket({ burst: 30, refillMs: 10_000, clock });
  }

  /**
   * Throws `INVALID_INPUT`, `INVALID_CREDENTIALS`, `RATE`, `TotpRequired` (second factor without a code), `TOTP_INVALID`, and
   * what the store throws.
   */
  async login(input: unknown, visitor: Visitor): Promise<LoggedIn> {
    const { username, password, code } = checked(checkLogin, input);
    const name = usernameKey(username);
    const account = this.#deps.reads.accountByName(name);
    const { renewed: renewedPhc } = await this.#checkLimited(password, account, name, visitor.ip);
    if (!account) throw wrong();
    if (!code && this.#deps.factor.isOn(account.id)) {
      throw new TotpRequired(this.#pending.add({ account, renewedPhc }));
    }
    return this.#open({ account, renewedPhc }, code, visitor);
  }

  /** As `check`, and limits the logins that succeed. */
  async #checkLimited(
    password: string,
    account: Account | undefined,
    name: string,
    ip: string,
  ): Promise<{ renewed: string | null }> {
    const pair = pairOf(ip, name);
    // Only names that have logged in are counted before the check: made-up ones would push others out of memory.
    const isKnown = this.#known.has(pair);
    if (isKnown) this.#successes.take(pair);
    const result = await this.check(password, account, name, ip).catch((error: unknown) => {
      if (isKnown) this.#successes.giveBack(pair);
      throw error;
    });
    if (!isKnown) this.#successes.take(pair);
    return result;
  }

  /** The second step, with the token of `TotpRequired`. Throws `NOT_LOGGED_IN` when it has expired, else as `login`. */
  async loginWithCode(input: unknown, visitor: Visitor): Promise<LoggedIn> {
    const { login, code } = checked(checkLoginCode, input);
    const pending = this.#pending.find(login);
    if (!pending) {
      throw new GatewayError('NOT_LOGGED_IN', accessMessage('login-expired'), {
        hint: accessMessage('log-in-again'),
      });
    }
    const session = await this.#open(pending, code, visitor);
    this.#pending.remove(login);
    return session;
  }

  async #open(
    { account, renewedPhc }: PendingLogin,
    code: string | undefined,
    visitor: Visitor,
  ): Promise<LoggedIn> {
    const { sessions, factor, log } = this.#deps;
    const proof = { renewedPhc, factor: factor.check(account.id, code, visitor.ip) };
    const opened = await sessions.open(account, visitor, proof);
    if (!opened) throw wrong();
    const userId = account.id;
    log.info('access.logged_in', { userId, ip: visitor.ip, factor: proof.factor?.kind ?? 'none' });
    if (proof.factor?.kind === 'recovery') log.warn('access.recovery_code_used', { userId, ip: visitor.ip });
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
    const address = ipPrefixOf(ip);
    const pair = pairOf(ip, name);
    const giveBack = this.#takeFailure(pair, address);
    let result: { ok: boolean; renewed: string | null };
    try {
      result = await this.#deps.hasher.verify(password, account?.phc, { address, name });
    } catch (error) {
      // Nothing was tried, so nothing counts.
      giveBack();
      throw error;
    }
    if (!result.ok || account?.disabledAt !== null) {
      this.#deps.log.warn('access.login_failed', { ip });
      throw wrong();
    }
    giveBack();
    this.#failures.forget(pair);
    this.#remember(pair);
    return result;
  }

  /** Counts one attempt of an address at any secret. Throws `RATE`. */
  takeAttempt(ip: string): void {
    this.#byAddress.take(ipPrefixOf(ip));
  }

  /** Counts an attempt before it is made. Returns what takes it back. Throws `RATE`. */
  #takeFailure(pair: string, address: string): () => void {
    if (this.#known.has(pair)) {
      this.#failures.take(pair);
      return () => this.#failures.giveBack(pair);
    }
    // The address first: names that are refused for it take no place in memory.
    this.#byAddress.take(address);
    try {
      this.#failures.take(pair);
    } catch (error) {
      this.#byAddress.giveBack(address);
      throw error;
    }
    return () => {
      this.#failures.giveBack(pair);
      this.#byAddress.giveBack(address);
    };
  }

  #remember(pair: string): void {
    this.#known.delete(pair);
    this.#known.add(pair);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** A name from one household. */
function pairOf(ip: string, name: string): string {
  return `${ipPrefixOf(ip)} ${name}`;
}

function wrong(): GatewayError {
  return new GatewayError('INVALID_CREDENTIALS', accessMessage('wrong-credentials'));
}

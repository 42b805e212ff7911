import { ipPrefixOf } from '../../shared/addresses.js';
import type { Clock } from '../../shared/ports/clock.js';
import { TokenBucket } from '../../shared/token-bucket.js';
import { AttemptLimit, tooManyAttempts } from '../attempt-limit.js';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** Maximum number of pairs of an address and a username; if there are more, the oldest pair is dropped. */
const MAX_KNOWN = 10_000;

/** A login attempt, which counts as failed until `refund` or `succeed` is called. */
interface LoginAttempt {
  /** Subtracts the attempt from the count, because its password was not checked. */
  refund(): void;
  succeed(): void;
}

/**
 * An account is never locked for all addresses; otherwise, an attacker could lock the user out. Failures are
 * limited per username and address, and per address. Usernames that have been used to log in from an address
 * are exempt from the address limit, because many users can share a proxy.
 */
export class LoginLimits {
  readonly #failures: AttemptLimit;
  readonly #successes: TokenBucket;
  readonly #byAddress: TokenBucket;
  readonly #known = new Set<string>();

  constructor(clock: Clock) {
    const window = { windowMs: QUARTER_MS, blockMs: QUARTER_MS, maxBlockMs: HOUR_MS };
    this.#failures = new AttemptLimit({ ...window, maxAttempts: 5, clock });
    this.#successes = new TokenBucket({ burst: 60, refillMs: 15_000, clock });
    this.#byAddress = new TokenBucket({ burst: 30, refillMs: 10_000, clock });
  }

  /**
   * Counts an attempt to log in with a setup code, or with an API key as the password, towards the address's limit.
   * Throws `RATE`.
   * @returns a function that subtracts the attempt from the count.
   */
  takeAttempt(ip: string): () => void {
    const address = ipPrefixOf(ip);
    take(this.#byAddress, address);
    return () => this.#byAddress.refund(address);
  }

  /**
   * Counts an attempt before its password is checked. Throws `RATE`.
   * @param name from `usernameKey`.
   */
  begin(ip: string, name: string): LoginAttempt {
    const pair = pairOf(ip, name);
    const refund = this.#takeFailure(pair, ipPrefixOf(ip));
    return {
      refund,
      succeed: () => {
        refund();
        this.#failures.forget(pair);
        this.#remember(pair);
      },
    };
  }

  /** Limits how often `check` succeeds. Throws `RATE` and any error from `check`. */
  async limitSuccesses<T>(ip: string, name: string, check: () => Promise<T>): Promise<T> {
    const pair = pairOf(ip, name);
    // Logins with a username that is new at this address count only if they succeed, so that invented
    // usernames cannot evict real ones.
    const isKnown = this.#known.has(pair);
    if (isKnown) take(this.#successes, pair);
    const result = await check().catch((error: unknown) => {
      if (isKnown) this.#successes.refund(pair);
      throw error;
    });
    if (!isKnown) take(this.#successes, pair);
    return result;
  }

  #takeFailure(pair: string, address: string): () => void {
    if (this.#known.has(pair)) {
      this.#failures.take(pair);
      return () => this.#failures.refund(pair);
    }
    // Checks the address first, so that usernames from a limited address use no memory.
    take(this.#byAddress, address);
    try {
      this.#failures.take(pair);
    } catch (error) {
      this.#byAddress.refund(address);
      throw error;
    }
    return () => {
      this.#failures.refund(pair);
      this.#byAddress.refund(address);
    };
  }

  #remember(pair: string): void {
    this.#known.delete(pair);
    this.#known.add(pair);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function take(bucket: TokenBucket, key: string): void {
  const waitMs = bucket.take(key);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
}

function pairOf(ip: string, name: string): string {
  return `${ipPrefixOf(ip)} ${name}`;
}

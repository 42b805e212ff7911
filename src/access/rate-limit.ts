import { GatewayError } from '../shared/errors.js';
import type { Clock } from '../shared/ports/clock.js';
import { accessMessage } from './messages.js';

interface RateLimitOptions {
  /** Attempts in one window. */
  most: number;
  windowMs: number;
  /** How long the first block lasts; each one after it twice as long as the one before, up to `blockMostMs`. */
  blockMs: number;
  blockMostMs: number;
  clock: Clock;
}

interface Entry {
  used: number;
  windowEndsAt: number;
  blockedUntil: number;
  nextBlockMs: number;
}

/** Addresses and names that are kept in mind; the one that was heard of first is forgotten first. */
const MAX_ENTRIES = 10_000;

export function tooManyAttempts(waitMs: number): GatewayError {
  return new GatewayError('RATE', accessMessage('too-many-attempts'), {
    hint: 'Wait, then try again.',
    retryAfterS: Math.ceil(waitMs / 1000),
  });
}

/** Counts attempts by key, on the monotonic clock and in memory: a restart forgives, a wrong clock does not. */
export class RateLimit {
  readonly #o: RateLimitOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(o: RateLimitOptions) {
    this.#o = o;
  }

  /** Counts an attempt, before it is made: attempts at the same time count as well. Throws `RATE`. */
  take(key: string): void {
    const now = this.#o.clock.now();
    const entry = this.#entry(key, now);
    if (entry.used >= this.#o.most && now >= entry.blockedUntil) this.#block(entry, now);
    if (now < entry.blockedUntil) {
      throw tooManyAttempts(entry.blockedUntil - now);
    }
    entry.used += 1;
  }

  /** The attempt was not a failed one after all. */
  giveBack(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) entry.used = Math.max(0, entry.used - 1);
  }

  /** Forgets a key: its owner has shown who he is. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  #block(entry: Entry, now: number): void {
    entry.blockedUntil = now + entry.nextBlockMs;
    entry.nextBlockMs = Math.min(entry.nextBlockMs * 2, this.#o.blockMostMs);
    entry.used = 0;
    entry.windowEndsAt = entry.blockedUntil + this.#o.windowMs;
  }

  #entry(key: string, now: number): Entry {
    const known = this.#entries.get(key);
    const { windowMs, blockMs, blockMostMs } = this.#o;
    if (known && now >= known.windowEndsAt + blockMostMs) this.#entries.delete(key);
    else if (known) {
      if (now >= known.windowEndsAt) Object.assign(known, { used: 0, windowEndsAt: now + windowMs });
      return known;
    }
    const fresh = { used: 0, windowEndsAt: now + windowMs, blockedUntil: 0, nextBlockMs: blockMs };
    this.#entries.set(key, fresh);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
    return fresh;
  }
}

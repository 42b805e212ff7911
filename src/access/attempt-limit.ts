import { GatewayError } from '../shared/errors.js';
import type { Clock } from '../shared/ports/clock.js';
import { accessMessage } from './messages.js';

interface AttemptLimitOptions {
  maxAttempts: number;
  windowMs: number;
  /** Duration of the first block; doubles with each further block, up to `maxBlockMs`. */
  blockMs: number;
  maxBlockMs: number;
  clock: Clock;
}

interface Entry {
  used: number;
  windowEndsAt: number;
  blockedUntil: number;
  nextBlockMs: number;
}

/** Maximum number of keys that are counted; if there are more, the oldest key is dropped. */
const MAX_ENTRIES = 10_000;

export function tooManyAttempts(waitMs: number): GatewayError {
  return new GatewayError('RATE', accessMessage('too-many-attempts'), {
    hint: accessMessage('try-later'),
    retryAfterS: Math.ceil(waitMs / 1000),
  });
}

/** Limits attempts per key, with increasing block times. */
export class AttemptLimit {
  readonly #o: AttemptLimitOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(o: AttemptLimitOptions) {
    this.#o = o;
  }

  /** Counts an attempt before it is made, so that concurrent attempts are also counted. Throws `RATE`. */
  take(key: string): void {
    const now = this.#o.clock.now();
    const entry = this.#entry(key, now);
    if (entry.used >= this.#o.maxAttempts && now >= entry.blockedUntil) this.#block(entry, now);
    if (now < entry.blockedUntil) {
      throw tooManyAttempts(entry.blockedUntil - now);
    }
    entry.used += 1;
  }

  refund(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) entry.used = Math.max(0, entry.used - 1);
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  #block(entry: Entry, now: number): void {
    entry.blockedUntil = now + entry.nextBlockMs;
    entry.nextBlockMs = Math.min(entry.nextBlockMs * 2, this.#o.maxBlockMs);
    entry.used = 0;
    entry.windowEndsAt = entry.blockedUntil + this.#o.windowMs;
  }

  #entry(key: string, now: number): Entry {
    const known = this.#entries.get(key);
    const { windowMs, blockMs, maxBlockMs } = this.#o;
    if (known && now >= known.windowEndsAt + maxBlockMs) this.#entries.delete(key);
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

import type { Clock } from './ports/clock.js';

/** `burst` and `refillMs` are read at each attempt, so they can be getters of settings. */
interface TokenBucketOptions {
  burst: number;
  /** One more attempt is allowed per this many ms. */
  refillMs: number;
  clock: Pick<Clock, 'now'>;
  /** When this number of keys is exceeded, the least recently used key is dropped. Default: 10,000. */
  maxKeys?: number;
}

interface Bucket {
  used: number;
  sinceMs: number;
}

/** Limits the rate of attempts per key. */
export class TokenBucket {
  readonly #o: TokenBucketOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(o: TokenBucketOptions) {
    this.#o = o;
  }

  /** Counts an attempt. Returns 0 if it is allowed; otherwise, the time in ms until the next allowed attempt. */
  take(key: string): number {
    const { burst, refillMs, clock } = this.#o;
    const now = clock.now();
    const bucket = this.#refilled(key, now);
    if (bucket.used >= burst) return Math.max(1, bucket.sinceMs + refillMs - now);
    bucket.used += 1;
    return 0;
  }

  refund(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.used = Math.max(0, bucket.used - 1);
  }

  #refilled(key: string, now: number): Bucket {
    const { refillMs, maxKeys = 10_000 } = this.#o;
    const bucket = this.#buckets.get(key) ?? { used: 0, sinceMs: now };
    const refills = Math.floor((now - bucket.sinceMs) / refillMs);
    // If the bucket is full again, its refill interval starts now.
    bucket.sinceMs = bucket.used <= refills ? now : bucket.sinceMs + refills * refillMs;
    bucket.used = Math.max(0, bucket.used - refills);
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxKeys && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }
}

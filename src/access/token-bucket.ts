import type { Clock } from '../shared/ports/clock.js';
import { tooManyAttempts } from './attempt-limit.js';

interface TokenBucketOptions {
  burst: number;
  refillMs: number;
  clock: Clock;
}

interface Bucket {
  used: number;
  sinceMs: number;
}

/** When this number of keys is exceeded, the oldest key is dropped. */
const MAX_BUCKETS = 10_000;

/** Limits the rate of attempts per key. */
export class TokenBucket {
  readonly #o: TokenBucketOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(o: TokenBucketOptions) {
    this.#o = o;
  }

  /** Counts an attempt before it is made. Throws `RATE`. */
  take(key: string): void {
    const { burst, refillMs, clock } = this.#o;
    const now = clock.now();
    const bucket = this.#refilled(key, now);
    if (bucket.used >= burst) throw tooManyAttempts(bucket.sinceMs + refillMs - now);
    bucket.used += 1;
  }

  refund(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.used = Math.max(0, bucket.used - 1);
  }

  #refilled(key: string, now: number): Bucket {
    const { refillMs } = this.#o;
    const bucket = this.#buckets.get(key) ?? { used: 0, sinceMs: now };
    const refills = Math.floor((now - bucket.sinceMs) / refillMs);
    // A full bucket's refill interval starts with the first attempt.
    bucket.sinceMs = bucket.used <= refills ? now : bucket.sinceMs + refills * refillMs;
    bucket.used = Math.max(0, bucket.used - refills);
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }
}

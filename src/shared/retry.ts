import type { Cancel, Clock } from './ports/clock.js';

/** Random variation of the delays, so that clients do not retry simultaneously. */
const JITTERS = {
  none: (ms: number) => ms,
  slight: (ms: number, random: number) => ms * (0.8 + 0.4 * random),
  half: (ms: number, random: number) => ms * (0.5 + random / 2),
  full: (ms: number, random: number) => ms * random,
};

/** The delays after the first, second and later consecutive failures. The last delay repeats. */
export interface RetryPolicy {
  delaysMs: readonly number[];
  jitter: keyof typeof JITTERS;
}

export function doubling(firstMs: number, maxMs: number): number[] {
  return firstMs >= maxMs ? [maxMs] : [firstMs, ...doubling(2 * firstMs, maxMs)];
}

/** Returns the delay in ms after `failures` consecutive failures (at least 1). */
export function retryDelayMs(
  { delaysMs, jitter }: RetryPolicy,
  failures: number,
  random: () => number = Math.random,
): number {
  const delayMs = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0;
  return JITTERS[jitter](delayMs, random());
}

export class Backoff {
  readonly #policy: RetryPolicy;
  readonly #random: () => number;
  #failures = 0;

  constructor(policy: RetryPolicy, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
  }

  /** Counts a failure and returns the delay in ms before the next attempt. */
  next(): number {
    this.#failures += 1;
    return retryDelayMs(this.#policy, this.#failures, this.#random);
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** Sends a frame up to `tries` times, `everyMs` apart, then waits for a response for `graceMs`. */
export interface ResendPolicy {
  everyMs: number;
  tries: number;
  graceMs: number;
}

/** Calls `giveUp` after the last attempt or if `send` throws. */
export function resend(
  clock: Clock,
  { everyMs, tries, graceMs }: ResendPolicy,
  send: (nth: number) => void,
  giveUp: (error?: unknown) => void,
): Cancel {
  let cancel: Cancel = () => undefined;
  const attempt = (nth: number): void => {
    const isLast = nth === tries;
    cancel = clock.after(isLast ? graceMs : everyMs, () => (isLast ? giveUp() : attempt(nth + 1)));
    try {
      send(nth);
    } catch (error) {
      cancel();
      giveUp(error);
    }
  };
  attempt(1);
  return () => cancel();
}

import type { Cancel, Clock } from './ports/clock.js';

/** How a wait is varied, so that many clients do not retry in lockstep. */
const JITTERS = {
  none: (ms: number) => ms,
  /** ±20 %. */
  slight: (ms: number, random: number) => ms * (0.8 + 0.4 * random),
  /** Between half and the whole. */
  half: (ms: number, random: number) => ms * (0.5 + random / 2),
  /** Between nothing and the whole. */
  full: (ms: number, random: number) => ms * random,
};

/** The waits after the first, second, … failure in a row; the last one repeats. */
export interface RetryPolicy {
  delaysMs: readonly number[];
  jitter: keyof typeof JITTERS;
}

/** Waits that double from `firstMs` to `maxMs`. */
export function doubling(firstMs: number, maxMs: number): number[] {
  return firstMs >= maxMs ? [maxMs] : [firstMs, ...doubling(2 * firstMs, maxMs)];
}

/** The wait after `failures` failures in a row (from 1), in ms. */
export function retryDelayMs(
  { delaysMs, jitter }: RetryPolicy,
  failures: number,
  random: () => number = Math.random,
): number {
  const delayMs = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0;
  return JITTERS[jitter](delayMs, random());
}

/** Counts failures in a row and returns the waits between the attempts. */
export class Backoff {
  readonly #policy: RetryPolicy;
  readonly #random: () => number;
  #failures = 0;

  constructor(policy: RetryPolicy, random: () => number = Math.random) {
    this.#policy = policy;
    this.#random = random;
  }

  /** The wait after one more failure, in ms. */
  next(): number {
    this.#failures += 1;
    return retryDelayMs(this.#policy, this.#failures, this.#random);
  }

  /** After a success the next failure is the first again. */
  reset(): void {
    this.#failures = 0;
  }
}

/** How often a frame is sent: `tries` times, `everyMs` apart; given up `graceMs` after the last one. */
export interface ResendPolicy {
  everyMs: number;
  tries: number;
  graceMs: number;
}

/**
 * Sends now and again without waiting for an answer, until the returned function is called. Calls `giveUp` when the
 * policy is exhausted, or with the error that `send` threw.
 */
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

import { setTimeout as sleep } from 'node:timers/promises';

/** Time limit in ms, sufficient even on a slow machine. */
export const GIVE_UP_MS = 120_000;
/**
 * A condition is checked in each of this many iterations of the event loop, then every few milliseconds, so
 * that a long wait does not keep a processor busy.
 */
const FAST_CHECKS = 100;
const CHECK_MS = 2;
/** Interval between requests. */
const REQUEST_MS = 20;

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let checks = 1; !(await condition()); checks += 1) {
    if (performance.now() > giveUpAt) throw new Error(`the condition never held: ${condition}`);
    if (checks < FAST_CHECKS) await new Promise((resolve) => setImmediate(resolve));
    else await sleep(CHECK_MS);
  }
}

export async function untilAnswer<T>(request: () => Promise<T>, matches: (answer: T) => boolean): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await request();
    if (matches(answer)) return answer;
    if (performance.now() > giveUpAt)
      throw new Error(`the response never matched; the last one is ${JSON.stringify(answer)}`);
    await sleep(REQUEST_MS);
  }
}

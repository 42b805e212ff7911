const EVERY_MS = 250;

/**
 * Calls `check` repeatedly until it returns a value, because the test cannot await events in another machine.
 * If `check` throws, it is called again. Rejects after `withinMs`; the error contains `what` and the last
 * error from `check`.
 */
export async function poll<T>(
  what: string,
  withinMs: number,
  check: () => Promise<T | undefined | false>,
): Promise<T> {
  const endMs = performance.now() + withinMs;
  let last: unknown;
  while (performance.now() < endMs) {
    try {
      const answer = await check();
      if (answer) return answer;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  // The test runner does not print the `cause` of an error.
  const why = last === undefined ? '' : ` (the last error: ${String(last)})`;
  throw new Error(`not within ${withinMs / 1000} s: ${what}${why}`);
}

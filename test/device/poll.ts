const EVERY_MS = 250;

/**
 * Calls `check` until it returns a value: the test cannot await events in another machine. Errors from
 * `check` cause a retry. Rejects after `withinMs`, with `what` and the last error from `check`.
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
  // The test runner does not print an error's `cause`.
  const why = last === undefined ? '' : ` (the last error: ${String(last)})`;
  throw new Error(`not within ${withinMs / 1000} s: ${what}${why}`);
}

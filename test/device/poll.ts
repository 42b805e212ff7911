const EVERY_MS = 250;

/**
 * Calls `check` repeatedly until it returns a value, because a test cannot wait for events in another
 * machine. If `check` fails, it is called again. After `withinMs`, rejects with an error that contains `what`
 * and the last error from `check`.
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

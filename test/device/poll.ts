const EVERY_MS = 250;

/**
 * Looks again and again until it is so: what happens in another machine sends us no event. An error of `claim` counts as
 * not yet. Rejects after `withinMs` with `what` and the last error.
 */
export async function poll<T>(
  what: string,
  withinMs: number,
  claim: () => Promise<T | undefined | false>,
): Promise<T> {
  const endMs = performance.now() + withinMs;
  let last: unknown;
  while (performance.now() < endMs) {
    try {
      const answer = await claim();
      if (answer) return answer;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  // The runner shows no cause.
  const why = last === undefined ? '' : ` (the last error: ${String(last)})`;
  throw new Error(`not within ${withinMs / 1000} s: ${what}${why}`);
}

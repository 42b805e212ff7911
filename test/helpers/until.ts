/** Time limit in ms, sufficient even on a slow machine. */
export const GIVE_UP_MS = 120_000;

/** The condition is checked in every iteration of the event loop. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`the condition never held: ${condition}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function untilAnswer<T>(request: () => Promise<T>, matches: (answer: T) => boolean): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await request();
    if (matches(answer)) return answer;
    if (performance.now() > giveUpAt)
      throw new Error(`the response never matched; the last one is ${JSON.stringify(answer)}`);
  }
}

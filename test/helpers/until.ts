/** So long that only what never comes is given up, with a word about what there was instead. */
export const GIVE_UP_MS = 120_000;

/** Resolves once the condition holds; checks it in every turn of the event loop, or each time it has been answered. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`it was never so: ${isSo}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Asks until the answer is as wanted, and returns it: every question is a round trip, so this waits for events. */
export async function untilAnswer<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (performance.now() > giveUpAt)
      throw new Error(`the answer was never as wanted, and is ${JSON.stringify(answer)}`);
  }
}

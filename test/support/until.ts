/** So long that only what never comes is given up, with a word about what there was instead. */
export const GIVE_UP_MS = 120_000;

/** Resolves when something is so: it is looked at in every turn of the event loop. */
export async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(`it was never so: ${isSo}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

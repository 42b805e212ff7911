/** Printed for each repetition; the test runner counts these lines. */
export const REPEATED = 'REPEATED: the machine was busy';

/**
 * Calls `attempt`, and once more if the machine was so busy that the gateway stopped the cart (LOOP_LAG) or lost a
 * link. Returns the last result, whether it is busy or not, so that a second failure fails the test.
 */
export async function repeatOnce<T>(
  attempt: () => Promise<T>,
  wasBusy: (result: T) => boolean | Promise<boolean>,
): Promise<T> {
  const result = await attempt();
  if (!(await wasBusy(result))) return result;
  process.stdout.write(`${REPEATED}\n`);
  return attempt();
}

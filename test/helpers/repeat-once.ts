/**
 * Why an attempt may be repeated. Each code is reported by a program that measured its own delay on a busy
 * machine, so a fault in the tested code cannot produce one of these codes.
 */
export const LATE = {
  LOOP_LAG: 'the gateway stopped the cart because its control loop was late by 250 ms',
  BOARD_LAG: 'the simulated microcontroller ran slower than real time',
  AVRDUDE_LATE:
    'avrdude began after the boot loader had ended; a pseudo-terminal cannot reset the board again',
} as const;

/** Printed for each repetition; the test runner counts these lines. */
export const REPEATED = 'REPEATED: ';

/**
 * Calls `attempt`, and once more if `codeOf` returns a code in `LATE`. Returns the last result, so that the test fails
 * if the second attempt is late, too.
 */
export async function repeatOnce<T>(
  attempt: () => Promise<T>,
  codeOf: (result: T) => string | undefined | Promise<string | undefined>,
): Promise<T> {
  const result = await attempt();
  const code = await codeOf(result);
  if (code === undefined || !Object.hasOwn(LATE, code)) return result;
  process.stdout.write(`${REPEATED}${code}\n`);
  return attempt();
}

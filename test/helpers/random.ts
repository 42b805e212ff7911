import { randomFrom } from '../../src/simulator/physics/physics.js';

export { randomFrom };

let seed: number | undefined;

/**
 * Returns the seed of the tests in this process that differ from run to run, and prints it. `TEST_SEED` repeats a
 * run. Tests with a constant seed are the same in every run and do not need it.
 */
export function testSeed(): number {
  if (seed === undefined) {
    seed = wholeNumber('TEST_SEED', process.env.TEST_SEED ?? String(Date.now() % 1_000_000));
    process.stdout.write(` TEST_SEED=${seed}\n`);
  }
  return seed;
}

/**
 * Returns how often a test repeats its work: `usual`, or `full` if `TEST_ROUNDS` is `full`, as in the nightly lane.
 * `TEST_ROUNDS` can also be a number, for a run of a single test file.
 */
export function rounds(usual: number, full: number): number {
  const { TEST_ROUNDS } = process.env;
  if (TEST_ROUNDS === undefined || TEST_ROUNDS === '') return usual;
  if (TEST_ROUNDS === 'full') return full;
  return wholeNumber('TEST_ROUNDS', TEST_ROUNDS);
}

/** A number that is not valid would otherwise let a loop end before its first round. */
function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${name} must be a positive whole number, not "${text}"`);
  return Number(text);
}

/** Generates numbers with a normal distribution, mean 0 and standard deviation 1. */
export function normalFrom(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';
import { rounds, testSeed } from './random.js';

const test = suite('seeds and rounds of random tests');

/** Calls `job` with an environment variable. */
function withVariable<T>(name: string, value: string | undefined, job: () => T): T {
  const before = process.env[name];
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
  try {
    return job();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

test('the seed equals TEST_SEED, even when the seed is read again', () => {
  assert.equal(
    withVariable('TEST_SEED', '42', () => testSeed()),
    42,
  );
  assert.equal(testSeed(), 42);
});

for (const [value, expected] of [
  [undefined, 3],
  ['', 3],
  ['full', 100],
  ['7', 7],
] as const) {
  test(`TEST_ROUNDS=${value} makes a test run ${expected} rounds`, () => {
    assert.equal(
      withVariable('TEST_ROUNDS', value, () => rounds(3, 100)),
      expected,
    );
  });
}

for (const value of ['fast', '0', '-1', '1.5']) {
  test(`rejects TEST_ROUNDS=${value}, which would make a test check nothing`, () => {
    assert.throws(() => withVariable('TEST_ROUNDS', value, () => rounds(3, 100)), /TEST_ROUNDS must be/);
  });
}

test('no test generates random numbers without a seed', () => {
  const dir = join(packageRoot(), 'test');
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const call = ['Math', 'random'].join('.');
  assert.deepEqual(
    files.filter((file) => readFileSync(join(dir, file), 'utf8').includes(call)),
    [],
  );
});

test.run();

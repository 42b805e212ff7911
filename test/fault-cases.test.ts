import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../src/shared/package-root.js';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

const rows = [...read('docs/fault-cases.md').matchAll(/^\| (\d+) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, number, files = '']) => ({
    number: Number(number),
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
);

/** Returns the case numbers from the comments directly above a file's tests: `// Fault cases 29, 38`. */
function casesIn(path: string): number[] {
  const comments = read(path).matchAll(/^ *\/\/ Fault cases? (\d+(?:, \d+)*)\n *test\(/gm);
  return [...comments].flatMap(([, list = '']) => list.split(', ').map(Number));
}

test('docs/fault-cases.md lists every fault case once, in order', () => {
  assert.ok(rows.length >= 53, `only ${rows.length} cases`);
  assert.deepEqual(
    rows.map(({ number }) => number),
    rows.map((_, at) => at + 1),
  );
});

test('every file listed for a fault case contains a test of that case', () => {
  for (const { number, files } of rows) {
    assert.ok(files.length > 0, `${number} has no test`);
    for (const file of files)
      assert.ok(casesIn(file).includes(number), `${file} has no test of case ${number}`);
  }
});

test.run();

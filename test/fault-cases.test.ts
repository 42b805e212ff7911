import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../src/shared/package-root.js';

const WANTED = Array.from({ length: 43 }, (_, at) => at + 1);

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** The rows of docs/fault-cases.md: the number of a case, and the files with its tests. */
const rows = [...read('docs/fault-cases.md').matchAll(/^\| (\d+) \| [^|]+ \| ([^|]+) \|$/gm)].map(
  ([, number, files = '']) => ({
    number: Number(number),
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }),
);

/** The numbers in front of the test names of a file: `'29, 38: …'` is both. */
function numbersIn(path: string): number[] {
  const names = read(path).matchAll(/^\s*(?:test\()?['"`](\d+(?:, \d+)*): /gm);
  return [...names].flatMap(([, list = '']) => list.split(', ').map(Number));
}

test('every fault case stands in the table once, in order', () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    WANTED,
  );
});

test('every file in the table has a test that is named after its case', () => {
  for (const { number, files } of rows) {
    assert.ok(files.length > 0, `${number} has no test`);
    for (const file of files)
      assert.ok(numbersIn(file).includes(number), `${file} has no test of case ${number}`);
  }
});

test.run();

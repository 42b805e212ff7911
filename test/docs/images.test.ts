import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { SHOWN } from '../../bench/screenshots-scenes.js';
import { packageRoot } from '../../src/shared/package-root.js';

/** The repository holds the pictures that somebody sees, and no others. */
const test = suite('pictures');

const kept = readdirSync(join(packageRoot(), 'docs', 'images')).toSorted();

test('every picture in docs/images is shown by the README, and none is missing', () => {
  const readme = readFileSync(join(packageRoot(), 'README.md'), 'utf8');
  const shown = [...readme.matchAll(/docs\/images\/([\w-]+\.png)/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(shown)].toSorted(), kept);
});

test('every one of them is made by npm run screenshots', () => {
  assert.deepEqual(SHOWN.map(([name, width, scheme]) => `${name}-${width}-${scheme}.png`).toSorted(), kept);
});

test.run();

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../src/util/package-root.js';

/** What docs/dependencies.md says of the packages is what is installed. */
const test = suite('dependencies');

const read = (...path: string[]): string => readFileSync(join(packageRoot(), ...path), 'utf8');
const rowsOf = (markdown: string): string[][] =>
  [...markdown.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \|$/gm)].map((row) => row.slice(1));

const manifest = JSON.parse(read('package.json'));
const [onPi = '', toBuild = ''] = read('docs', 'dependencies.md').split('## For those who build it');

test('every package stands in it once, in order, with a reason', () => {
  const shipped = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const names = (markdown: string): (string | undefined)[] => rowsOf(markdown).map(([name]) => name);
  assert.deepEqual(names(onPi), Object.keys(shipped).toSorted());
  assert.deepEqual(names(toBuild), Object.keys(manifest.devDependencies).toSorted());
});

test('each has the licence that its lock says', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  for (const [name, , licence] of rowsOf(onPi + toBuild)) {
    const { license } = packages[`node_modules/${name}`];
    assert.equal(licence, license ?? 'none', name);
  }
});

test('versions are exact: what was tested is what is installed', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  }))
    assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
});

test.run();

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';

/**
 * Checks that docs/dependencies.md lists the installed packages and that `npm ci` installs them without a
 * warning.
 */
const test = suite('documented dependencies');

const satisfies: (version: string, range: string) => boolean = createRequire(import.meta.url)(
  'semver/functions/satisfies.js',
);
/** The oldest supported release of each Node major version. */
const NODES = ['20.19.0', '22.0.0', '24.0.0'];
/** On Node 22, knip and its parser, which only `npm run lint` uses, need version 22.12 or newer. */
const LINT_ONLY = /^node_modules\/(?:knip|oxc-parser|@oxc-parser\/.+)$/;

interface Locked {
  license?: string;
  engines?: { node?: string };
  hasInstallScript?: boolean;
}

const read = (...path: string[]): string => readFileSync(join(packageRoot(), ...path), 'utf8');
const rowsOf = (markdown: string): string[][] =>
  [...markdown.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \|$/gm)].map((row) => row.slice(1));

const manifest = JSON.parse(read('package.json'));
const packages: Record<string, Locked> = JSON.parse(read('package-lock.json')).packages;
const [onPi = '', toBuild = ''] = read('docs', 'dependencies.md').split('## Development');

test('docs/dependencies.md lists every package once, in alphabetical order, with a reason', () => {
  const shipped = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const names = (markdown: string): (string | undefined)[] => rowsOf(markdown).map(([name]) => name);
  assert.deepEqual(names(onPi), Object.keys(shipped).toSorted());
  assert.deepEqual(names(toBuild), Object.keys(manifest.devDependencies).toSorted());
});

test('every listed licence matches the licence in package-lock.json', () => {
  for (const [name, , licence] of rowsOf(onPi + toBuild))
    assert.equal(licence, packages[`node_modules/${name}`]?.license ?? 'none', name);
});

test('package.json specifies the exact version of every package', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  }))
    assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
});

test('every package runs on every supported version of Node', () => {
  for (const [path, { engines }] of Object.entries(packages).filter(([path]) => !LINT_ONLY.test(path)))
    for (const node of NODES)
      assert.ok(satisfies(node, engines?.node ?? '*'), `${path} wants Node ${engines?.node}, not ${node}`);
});

test('package.json allows or denies every install script by name', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13));
  assert.deepEqual(names.toSorted(), Object.keys(manifest.allowScripts).toSorted());
});

test.run();

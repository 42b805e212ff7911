import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

test('npm ignores install scripts, and the build runs only the permitted install scripts', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  const { scripts } = JSON.parse(read('package.json'));
  assert.match(scripts.build, /^node scripts\/addons\.js && /);
  assert.deepEqual(
    Object.keys(scripts).filter((name) => /^(pre|post|install|prepare)/.test(name)),
    [],
    'ignore-scripts prevents these',
  );
});

test('every package with an allowed install script has a compiled or prebuilt addon', () => {
  const { allowScripts } = JSON.parse(read('package.json'));
  for (const name of Object.keys(allowScripts).filter((name) => allowScripts[name])) {
    const parts = ['build/Release', `prebuilds/${process.platform}-${process.arch}`];
    assert.ok(
      parts.some((part) => existsSync(join(packageRoot(), 'node_modules', name, part))),
      name,
    );
  }
});

test.run();

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../src/shared/package-root.js';

const test = suite('page code in tests');

/** A call that runs a string in the page, which the compiler cannot check. */
const STRING_CODE = /(?:evaluate(?:Handle)?|waitForFunction|addInitScript|eval)(?:<[^(]*>)?\(\s*['"`]/;

const isUntyped = (code: string): boolean => STRING_CODE.test(code.replace(/\$\$?eval\(/g, ''));

test('tests and benchmarks never run strings as code in pages', () => {
  const files = ['test', 'bench'].flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'page-code.test.ts')
      .map((file) => join(folder, file)),
  );
  const untyped = files.filter((file) => isUntyped(readFileSync(join(packageRoot(), file), 'utf8')));
  assert.deepEqual(untyped, []);
});

for (const code of ["page.evaluate('1')", 'page.evaluate<string>(\n`1`)', 'page.waitForFunction("1")']) {
  test(`finds ${JSON.stringify(code)}`, () => assert.ok(isUntyped(code)));
}

test('permits functions and element selectors', () => {
  assert.ok(!isUntyped("page.evaluate(() => 1); page.$eval('main', (main) => main.id)"));
});

test.run();

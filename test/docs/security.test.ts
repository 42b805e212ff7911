import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';

const root = packageRoot();
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** OWASP ASVS 5.0.0: every requirement of level 1. */
const LEVEL_1 = `
  1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1 2.1.1 2.2.1 2.2.2 2.3.1 3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1
  3.5.2 3.5.3 4.1.1 4.4.1 5.2.1 5.2.2 5.3.1 5.3.2 6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1
  6.3.2 6.4.1 6.4.2 7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2 8.1.1 8.2.1 8.2.2 8.3.1 9.1.1 9.1.2 9.1.3 9.2.1 10.4.1
  10.4.2 10.4.3 10.4.4 10.4.5 11.3.1 11.3.2 11.4.1 12.1.1 12.2.1 12.2.2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1`.match(
  /\S+/g,
);

test('each requirement of level 1 has one line, in order', () => {
  const listed = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)].map(([, id]) => id);
  assert.deepEqual(listed, LEVEL_1);
});

test('what the requirements are met by is there', () => {
  const files = [...text.matchAll(/`((?:src|test|views)\/[^`]+|package\.json)`/g)].map(
    ([, file = '']) => file,
  );
  assert.ok(files.length > 80);
  assert.deepEqual(
    files.filter((file) => !existsSync(join(root, file))),
    [],
  );
});

test('what was tried is tried by a test of that name, and no attack is left out', () => {
  const rows = [...text.matchAll(/^\| .+ \| .+ \| `(test\/[^`]+)`: “([^”]+)” \|$/gm)].map(
    ([, file = '', name = '']) => ({
      file,
      name,
    }),
  );
  assert.ok(rows.length > 20);
  const untold = rows.filter(({ file, name }) => !readFileSync(join(root, file), 'utf8').includes(name));
  assert.deepEqual(untold, []);
  const attacks = readdirSync(join(root, 'test/e2e')).filter((file) => file.startsWith('attack-'));
  assert.deepEqual(
    attacks.filter((file) => !text.includes(`test/e2e/${file}`)),
    [],
  );
});

function sources(folder: string): [file: string, text: string][] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')]);
}

test('1.3.2, 3.2.2: nothing is evaluated, and text is never made markup', () => {
  const wrong = sources('src').filter(([, code]) =>
    /\beval\(|new Function\(|\.innerHTML|outerHTML|insertAdjacentHTML|document\.write/.test(code),
  );
  assert.deepEqual(
    wrong.map(([file]) => file),
    [],
  );
});

test('1.2.1: no template gives a value unescaped', () => {
  const folder = join(root, 'views');
  const views = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  assert.ok(views.length > 10);
  assert.deepEqual(
    views.filter((name) => /\{\{\{|\{\{&/.test(readFileSync(join(folder, name), 'utf8'))),
    [],
  );
});

test.run();

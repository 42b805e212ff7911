import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';

const root = packageRoot();
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** All requirements of OWASP ASVS 5.0.0 level 1. */
const LEVEL_1 = `
  1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1 2.1.1 2.2.1 2.2.2 2.3.1 3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1
  3.5.2 3.5.3 4.1.1 4.4.1 5.2.1 5.2.2 5.3.1 5.3.2 6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1
  6.3.2 6.4.1 6.4.2 7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2 8.1.1 8.2.1 8.2.2 8.3.1 9.1.1 9.1.2 9.1.3 9.2.1 10.4.1
  10.4.2 10.4.3 10.4.4 10.4.5 11.3.1 11.3.2 11.4.1 12.1.1 12.2.1 12.2.2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1`.match(
  /\S+/g,
);

test('docs/security.md has one line for each ASVS level 1 requirement, in order', () => {
  const listed = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)].map(([, id]) => id);
  assert.deepEqual(listed, LEVEL_1);
});

/** All OWASP ASVS 5.0.0 level 2 requirements that are not in level 1. */
const LEVEL_2 = `
  1.1.1 1.1.2 1.2.6 1.2.7 1.2.8 1.2.9 1.3.3 1.3.4 1.3.5 1.3.6 1.3.7 1.3.8 1.3.9 1.3.10 1.3.11 1.4.1 1.4.2
  1.4.3 1.5.2 2.1.2 2.1.3 2.2.3 2.3.2 2.3.3 2.3.4 2.4.1 3.3.2 3.3.3 3.3.4 3.4.3 3.4.4 3.4.5 3.4.6 3.5.4
  3.5.5 3.7.1 3.7.2 4.1.2 4.1.3 4.2.1 4.3.1 4.3.2 4.4.2 4.4.3 4.4.4 5.1.1 5.2.3 5.4.1 5.4.2 5.4.3 6.1.2
  6.1.3 6.2.9 6.2.10 6.2.11 6.2.12 6.3.3 6.3.4 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3
  6.8.1 6.8.2 6.8.3 6.8.4 7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2 8.1.2
  8.2.3 8.4.1 9.2.2 9.2.3 9.2.4 10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4 10.4.6 10.4.7 10.4.8
  10.4.9 10.4.10 10.4.11 10.5.1 10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3 11.1.1 11.1.2
  11.2.1 11.2.2 11.2.3 11.3.3 11.4.2 11.4.3 11.4.4 11.5.1 11.6.1 12.1.2 12.1.3 12.3.1 12.3.2 12.3.3 12.3.4
  13.1.1 13.2.1 13.2.2 13.2.3 13.2.4 13.2.5 13.3.1 13.3.2 13.4.2 13.4.3 13.4.4 13.4.5 14.1.1 14.1.2 14.2.2
  14.2.3 14.2.4 14.3.2 14.3.3 15.1.2 15.1.3 15.2.2 15.2.3 15.3.2 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7 16.1.1
  16.2.1 16.2.2 16.2.3 16.2.4 16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.4.2 16.4.3 16.5.1 16.5.2 16.5.3
  17.1.1 17.2.1 17.2.2 17.2.3 17.2.4 17.3.1 17.3.2`.match(/\S+/g);

const level2 = readFileSync(join(root, 'docs/asvs-level-2.md'), 'utf8');
const rows2 = [...level2.matchAll(/^\| (\d+\.\d+\.\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, id = '', state = '', evidence = '']) => ({ id, state, evidence }),
);
const PATH =
  /`((?:src|test|views|docs|systemd)\/[^`]+|README\.md|package-lock\.json|tsconfig\.json)`|\]\((security\.md)/g;

function pathsIn(markdown: string): string[] {
  return [...markdown.matchAll(PATH)].map(([, path, document]) => path ?? `docs/${document}`);
}

test('docs/asvs-level-2.md has one line with a status for each ASVS level 2 requirement, in order', () => {
  assert.deepEqual(
    rows2.map(({ id }) => id),
    LEVEL_2,
  );
  const states = new Set(rows2.map(({ state }) => state));
  assert.deepEqual([...states].sort(), ['deviation', 'met', 'not applicable']);
});

test('docs/asvs-level-2.md names only files that exist', () => {
  assert.deepEqual(
    pathsIn(level2).filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('docs/asvs-level-2.md lists a file for each met requirement and the risk of each deviation', () => {
  const incomplete = rows2.filter(
    ({ state, evidence }) =>
      (state === 'met' && pathsIn(evidence).length === 0) ||
      (state === 'deviation' && !evidence.includes('Risk: ')),
  );
  assert.deepEqual(incomplete, []);
});

test('the list of deviations by risk contains each ASVS level 2 deviation once', () => {
  const [, list = ''] = level2.split('## Deviations in order of risk');
  const deviations = rows2.filter(({ state }) => state === 'deviation').map(({ id }) => id);
  assert.deepEqual((list.match(/\d+\.\d+\.\d+/g) ?? []).sort(), deviations.sort());
});

test('every file that docs/security.md lists as evidence exists', () => {
  const files = [...text.matchAll(/`((?:src|test|views)\/[^`]+|package\.json)`/g)].map(
    ([, file = '']) => file,
  );
  assert.ok(files.length > 80);
  assert.deepEqual(
    files.filter((file) => !existsSync(join(root, file))),
    [],
  );
});

const TEST_FILE = /`(test\/[^`]+\.test\.ts)`/g;

/** The part of the document between a heading and the next heading of the same level. */
function section(heading: string): string {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  return after.split('\n## ')[0] ?? '';
}

/** The cells of each row of the first table in a section; cells contain no escaped bars. */
function rowsOf(heading: string): string[][] {
  const [, , ...rows] = section(heading).match(/^\|.*\|$/gm) ?? [];
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

function namesTests(markdown: string): boolean {
  const files = [...markdown.matchAll(TEST_FILE)].map(([, file = '']) => file);
  return files.length > 0 && files.every((file) => existsSync(join(root, file)));
}

test('docs/security.md lists the test files that check each limit', () => {
  const rows = rowsOf('Limits');
  assert.ok(rows.length > 60);
  assert.deepEqual(
    rows.filter((cells) => cells.length !== 3 || !namesTests(cells[2] ?? '')).map(([subject]) => subject),
    [],
  );
});

test('the threat model lists the test files that check each defence', () => {
  const rows = rowsOf('Threat model');
  assert.ok(rows.length > 12);
  const untested = rows.filter((cells) => cells.length !== 4 || !namesTests(cells[3] ?? ''));
  assert.deepEqual(
    untested.map(([attacker]) => attacker),
    ['An attacker with physical access to the Pi or its card'],
  );
});

test('every paragraph on limits, HTTPS and proxies refers to a test file', () => {
  for (const heading of ['Limits', 'HTTPS', 'Behind a proxy']) {
    const blocks = section(heading)
      .split(/\n\n|\n(?=- )/)
      .map((block) => block.trim())
      .filter((block) => block !== '' && !/^(?:\||```)/.test(block));
    assert.ok(blocks.length >= 3);
    // A paragraph that introduces an example names no tests, because the paragraphs after the example do.
    const untested = blocks.filter((block) => !namesTests(block) && !block.endsWith('`trustedProxies`:'));
    assert.deepEqual(untested, []);
  }
});

test('docs/security.md lists a test file for every applicable requirement', () => {
  const rows = rowsOf('Requirements').filter(([, , how = '']) => !how.startsWith('Not applicable'));
  const untested = rows.filter((cells) => !namesTests(cells[3] ?? '')).map(([id]) => id);
  // No test can show that hints do not exist (6.4.2), and chapter 15 describes how the project is maintained.
  assert.deepEqual(untested, ['6.4.2', '15.1.1', '15.2.1']);
});

test('password fields hide the input and permit password managers (ASVS 6.2.6, 6.2.7)', () => {
  const inputs = templates().flatMap((view) => view.match(/<input\b[^>]*>/g) ?? []);
  const isPassword = (input: string): boolean => /\b(?:type|name|id)="[^"]*password/i.test(input);
  const fields = inputs.filter(isPassword);
  assert.ok(fields.length > 6);
  assert.deepEqual(
    fields.filter(
      (field) => !/\btype="password"/.test(field) || !/\bautocomplete="(?:current|new)-password"/.test(field),
    ),
    [],
  );
});

test('every attack in docs/security.md refers to an existing test, and every attack test is listed', () => {
  const rows = [...text.matchAll(/`(test\/[^`]+)`: (“[^”]+”(?:, “[^”]+”)*)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name })),
  );
  assert.ok(rows.length > 90);
  const missing = rows.filter(({ file, name }) => !readFileSync(join(root, file), 'utf8').includes(name));
  assert.deepEqual(missing, []);
  const attacks = readdirSync(join(root, 'test/e2e/attacks'));
  assert.deepEqual(
    attacks.filter((file) => !text.includes(`test/e2e/attacks/${file}`)),
    [],
  );
});

function templates(): string[] {
  const folder = join(root, 'views');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

function sources(folder: string): [file: string, text: string][] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')]);
}

test('the source code never evaluates a string as code or inserts a string as markup (ASVS 1.3.2, 3.2.2)', () => {
  const wrong = sources('src').filter(([, code]) =>
    /\beval\(|new Function\(|\.innerHTML|outerHTML|insertAdjacentHTML|document\.write/.test(code),
  );
  assert.deepEqual(
    wrong.map(([file]) => file),
    [],
  );
});

test('no template inserts an unescaped value (ASVS 1.2.1)', () => {
  const views = templates();
  assert.ok(views.length > 10);
  assert.deepEqual(
    views.filter((view) => /\{\{\{|\{\{&/.test(view)),
    [],
  );
});

test.run();

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { suite } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';

/**
 * Matches each regular expression in the code and the schemas against strings that cause catastrophic
 * backtracking. An exponential match effectively never ends, so the test asserts that each match ends, not
 * how long it takes.
 */
const test = suite('regular expressions in the code');

/** On a busy machine, a quadratic pattern may take seconds; an exponential pattern takes years. */
const TIMEOUT_MS = 60_000;
/** Length of the longest possible header. The schemas' `maxLength` rejects longer strings in bodies. */
const LENGTH = 16_000;

/** Matches a regular expression literal (`/…/flags`) in a position where a value can begin. */
const LITERAL =
  /(?<=(?:[=(,:?&|![{;>]|return)\s*)\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([dgimsuvy]*)/g;
/** Matches a pattern in a schema, such as `pattern: '…'`. */
const PATTERN = /\bpattern: '((?:[^'\\]|\\.)*)'/g;

interface Found {
  file: string;
  source: string;
  flags: string;
}

function patternsIn(folder: string): Found[] {
  const names = readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join(folder, name);
      const text = readFileSync(join(packageRoot(), file), 'utf8');
      const literals = [...text.matchAll(LITERAL)].map(([, source = '', flags = '']) => ({
        file,
        source,
        flags,
      }));
      const patterns = [...text.matchAll(PATTERN)].map(([, source = '']) => ({
        file,
        source: source.replaceAll('\\\\', '\\'),
        flags: 'u',
      }));
      return [...literals, ...patterns];
    });
}

/** Each input repeats one of these strings and ends with a string that does not match. */
const PIECES = [
  'a',
  '0',
  ' ',
  '\t',
  '-',
  '.',
  ',',
  ';',
  '"',
  "'",
  '\\',
  '/',
  '=',
  '%',
  '&',
  '{',
  '<',
  '[',
  'a ',
  '; ',
  ', ',
  '0.',
  'a.',
];
const MORE = [
  '1e',
  '\\"',
  '\r\n',
  '::',
  'a=',
  '""',
  "''",
  ' ,',
  'é',
  'aA0',
  '%2',
  '../',
  '1:',
  'q=0,',
  'W/"a",',
  '\ufffd',
];
const ENDS = ['', '!', '\u0000', '\n', '"'];
const TEXTS = [...PIECES, ...MORE].flatMap((piece) =>
  ENDS.map((end) => piece.repeat(Math.ceil(LENGTH / piece.length)) + end),
);

const found = patternsIn('src').filter(({ source }) => /[*+{]/.test(source));

test('the search finds more than 80 regular expressions in the code', () => {
  assert.ok(found.length > 80, `${found.length}`);
});

test('matching every regular expression against every test string finishes within the time limit', () => {
  const context = createContext({ TEXTS });
  const run = new Script('for (const text of TEXTS) { pattern.lastIndex = 0; pattern.test(text); }');
  const hanging = found.filter(({ source, flags }) => {
    context.pattern = new RegExp(source, flags);
    try {
      run.runInContext(context, { timeout: TIMEOUT_MS });
      return false;
    } catch {
      return true;
    }
  });
  assert.deepEqual(hanging, []);
});

test('the time limit detects a regular expression with exponential running time', () => {
  const context = createContext({ pattern: /^(a+)+$/, text: `${'a'.repeat(60)}!` });
  assert.throws(() => new Script('pattern.test(text)').runInContext(context, { timeout: 50 }));
});

test.run();

import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  ACCEPTS,
  type Answer,
  formatGolden,
  type Golden,
  keyOf,
  LANGUAGES,
  NETWORKS,
  parseGolden,
} from './golden-answers.js';

const test = suite('golden response text');

const CALLERS = ['none', 'admin', 'key:a', 'key:b', 'key:c'];
const CODE: Answer = { head: '401 json', facts: 'NOT_LOGGED_IN' };
const pageIn = (language: string): Answer => ({
  head: '200 html vary=Accept-Encoding etag',
  facts: language === 'en' ? '"Drive now"' : '"Rijden"',
});

function answersBy(
  choose: (caller: string, accept: string, language: string) => Answer,
): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const network of NETWORKS)
    for (const caller of CALLERS)
      for (const accept of Object.keys(ACCEPTS))
        for (const language of LANGUAGES)
          answers.set(keyOf({ caller, network, accept, language }), choose(caller, accept, language));
  return answers;
}

/** Formats and parses the rows. `HEAD` rows and rows with a suffix are compared with the `GET` row. */
function restored(golden: Golden): { text: string; golden: Golden } {
  const like = (row: string): string | undefined => (row === 'GET /a' ? undefined : 'GET /a');
  const text = formatGolden(golden, CALLERS, like);
  return { text, golden: parseGolden(text, CALLERS) };
}

const sorted = (answers: ReadonlyMap<string, Answer> | undefined): [string, Answer][] =>
  [...(answers ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));

test('restores a title for each language from one line', () => {
  const answers = answersBy((_caller, _accept, language) => pageIn(language));
  const { text, golden } = restored(new Map([['GET /a', answers]]));
  assert.match(text, /^ {4}all: 200 html vary=Accept-Encoding etag "Drive now\|Rijden"$/m);
  assert.deepEqual(sorted(golden.get('GET /a')), sorted(answers));
});

test('restores answers that depend on the caller, the header and the language', () => {
  const answers = answersBy((caller, accept, language) => {
    if (caller === 'none' || caller === 'key:b') return CODE;
    if (accept === 'html' && language === 'nl') return { head: '303 - location=/x?y=1', facts: '' };
    return accept === 'json' ? { head: '400 json', facts: 'RANGE' } : pageIn(language);
  });
  const { golden } = restored(new Map([['GET /a', answers]]));
  assert.deepEqual(sorted(golden.get('GET /a')), sorted(answers));
});

test('shortens a HEAD row to a reference if its status and headers are those of GET', () => {
  const get = answersBy((_caller, _accept, language) => pageIn(language));
  const head = answersBy((_caller, _accept, language) => ({ ...pageIn(language), facts: '' }));
  const { text, golden } = restored(
    new Map([
      ['GET /a', get],
      ['HEAD /a', head],
    ]),
  );
  assert.match(text, /^HEAD \/a\n {2}like GET, without the body$/m);
  assert.deepEqual(sorted(golden.get('HEAD /a')), sorted(head));
});

test('stores a HEAD row whose status differs from that of GET', () => {
  const get = answersBy((_caller, _accept, language) => pageIn(language));
  const head = answersBy(() => ({ head: '405 html', facts: '' }));
  const { golden } = restored(
    new Map([
      ['GET /a', get],
      ['HEAD /a', head],
    ]),
  );
  assert.deepEqual(sorted(golden.get('HEAD /a')), sorted(head));
});

test("merges a path's methods that have the same answers", () => {
  const answers = answersBy(() => ({
    head: '405 json allow=GET,POST',
    facts: 'METHOD_NOT_ALLOWED',
  }));
  const { text, golden } = restored(
    new Map([
      ['PUT /b', answers],
      ['PATCH /b', answers],
    ]),
  );
  assert.match(text, /^PUT PATCH \/b\n {2}everyone\n/);
  assert.deepEqual(sorted(golden.get('PATCH /b')), sorted(answers));
});

test.run();

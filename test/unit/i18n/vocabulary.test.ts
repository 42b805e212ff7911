import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Vocabulary } from '../../../src/i18n/language.js';
import { SERVED, SETTING_TEXTS } from '../../../src/i18n/page-text.js';
import { LIVE } from '../../../src/i18n/shared-text.js';
import { codeTexts, type SourceText, schemaTexts, templateTexts, textsIn } from '../../helpers/texts.js';

/** Every English text of the console has a Dutch translation, and every translation a text. */
const test = suite('vocabulary');

const missing = (texts: readonly SourceText[], vocabulary: Vocabulary): string[] =>
  texts.filter(({ text }) => !Object.hasOwn(vocabulary, text)).map(({ text, file }) => `${file}: ${text}`);

test('finds a text in the code, with its values and those inside them', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source with templates in it
  const source = "t`Cart ${id} on ${f({ a: 1 })}` + t('It isn\\'t') + `no` + t`a ${b ? t`inner ${c}` : ''}`";
  assert.deepEqual(textsIn(source), ['Cart {0} on {1}', "It isn't", 'a {0}', 'inner {0}']);
});

test('every text of the live pages has a Dutch translation', () => {
  assert.deepEqual(missing(codeTexts('shared-text'), LIVE), []);
});

test('every text of the pages that the server renders has a Dutch translation', () => {
  assert.deepEqual(missing([...codeTexts('page-text'), ...templateTexts()], SERVED), []);
});

test('every title and help text of the settings has a Dutch translation', () => {
  assert.deepEqual(missing(schemaTexts(), SETTING_TEXTS), []);
});

test('every translation has a text', () => {
  const used = [...codeTexts('shared-text'), ...codeTexts('page-text'), ...templateTexts()].map(
    ({ text }) => text,
  );
  const titles = new Set(schemaTexts().map(({ text }) => text));
  assert.deepEqual(
    Object.keys(SERVED).filter((text) => !used.includes(text)),
    [],
  );
  assert.deepEqual(
    Object.keys(SETTING_TEXTS).filter((text) => !titles.has(text)),
    [],
  );
});

test('a translation has the values of its text', () => {
  const valuesOf = (text: string): string[] => (text.match(/\{\d\}|\{\{[^}]+\}\}/g) ?? []).toSorted();
  for (const [english, dutch] of Object.entries({ ...SERVED, ...SETTING_TEXTS })) {
    assert.deepEqual(valuesOf(dutch), valuesOf(english), english);
  }
});

test.run();

import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Vocabulary } from '../../../src/i18n/language.js';
import { SERVED, SETTING_TEXTS } from '../../../src/i18n/page-text.js';
import { LIVE } from '../../../src/i18n/shared-text.js';
import { codeTexts, type SourceText, templateTexts, textsIn } from '../../helpers/texts.js';

const test = suite('vocabulary');

const missing = (texts: readonly SourceText[], vocabulary: Vocabulary): string[] =>
  texts.filter(({ text }) => !Object.hasOwn(vocabulary, text)).map(({ text, file }) => `${file}: ${text}`);

test('finds translatable strings in source code, including those nested in values', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source code that contains templates
  const source = "t`Cart ${id} on ${f({ a: 1 })}` + t('It isn\\'t') + `no` + t`a ${b ? t`inner ${c}` : ''}`";
  assert.deepEqual(textsIn(source), ['Cart {0} on {1}', "It isn't", 'a {0}', 'inner {0}']);
});

test('every shared string has a Dutch translation', () => {
  assert.deepEqual(missing(codeTexts('shared-text'), LIVE), []);
});

test('every string in pages and templates has a Dutch translation', () => {
  assert.deepEqual(missing([...codeTexts('page-text'), ...templateTexts()], SERVED), []);
});

test('every translation is used', () => {
  const used = [...codeTexts('shared-text'), ...codeTexts('page-text'), ...templateTexts()].map(
    ({ text }) => text,
  );
  assert.deepEqual(
    Object.keys(SERVED).filter((text) => !used.includes(text)),
    [],
  );
});

test('every translation has the same placeholders as its source text', () => {
  const valuesOf = (text: string): string[] => (text.match(/\{\d\}|\{\{[^}]+\}\}/g) ?? []).toSorted();
  for (const [english, dutch] of Object.entries({ ...SERVED, ...SETTING_TEXTS })) {
    assert.deepEqual(valuesOf(dutch), valuesOf(english), english);
  }
});

test.run();

import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { decimal, language, translator, withLanguage } from '../../../src/i18n/language.js';

const test = suite('language');
const t = translator({ 'turn {0}, then {1}': '{1} na {0}', Ready: 'Klaar' });

test('translates a string inside `withLanguage` but not outside it', () => {
  assert.equal(
    withLanguage('nl', () => t`Ready`),
    'Klaar',
  );
  assert.equal(t`Ready`, 'Ready');
});

test('inserts the values in the order used in the translation', () => {
  const text = (): string => t`turn ${'a'}, then ${'b'}`;
  assert.deepEqual([text(), withLanguage('nl', text)], ['turn a, then b', 'b na a']);
});

test('does not treat braces in a value as a placeholder', () => {
  assert.equal(t`turn ${'{1}'}, then ${'b'}`, 'turn {1}, then b');
});

test('leaves untranslated strings in English, including names of built-in properties such as constructor', () => {
  assert.deepEqual(
    withLanguage('nl', () => [t('constructor'), t`Nowhere`]),
    ['constructor', 'Nowhere'],
  );
});

test('restores the language after an exception', () => {
  assert.throws(() =>
    withLanguage('nl', () => {
      throw new Error('in the middle');
    }),
  );
  assert.equal(language(), 'en');
});

test("formats numbers with the language's decimal separator, and zero without a sign", () => {
  const numbers = (): string[] => [decimal(1.25, 1), decimal(-3, 2), decimal(-0.001, 2)];
  assert.deepEqual(numbers(), ['1.3', '−3.00', '0.00']);
  assert.deepEqual(withLanguage('nl', numbers), ['1,3', '−3,00', '0,00']);
});

test.run();

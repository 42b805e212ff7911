import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { decimal, language, translator, type Vocabulary, withLanguage } from '../../../src/i18n/language.js';

const test = suite('language');
const t = translator({ 'turn {0}, then {1}': '{1} na {0}', Ready: 'Klaar' });

test('translates a string inside `withLanguage` but not outside it', () => {
  assert.equal(
    withLanguage('nl', () => t('Ready')),
    'Klaar',
  );
  assert.equal(t('Ready'), 'Ready');
});

test('inserts the values in the order used in the translation', () => {
  const text = (): string => t('turn {0}, then {1}', 'a', 'b');
  assert.deepEqual([text(), withLanguage('nl', text)], ['turn a, then b', 'b na a']);
});

test('does not treat braces in a value as a placeholder', () => {
  assert.equal(t('turn {0}, then {1}', '{1}', 'b'), 'turn {1}, then b');
});

test('leaves untranslated strings in English, including names of built-in properties such as constructor', () => {
  const untyped = translator<[Vocabulary]>({});
  assert.deepEqual(
    withLanguage('nl', () => [untyped('constructor'), untyped('Nowhere')]),
    ['constructor', 'Nowhere'],
  );
});

test('translates strings from several tables', () => {
  const both = translator({ Ready: 'Klaar' }, { Stopped: 'Gestopt' });
  assert.deepEqual(
    withLanguage('nl', () => [both('Ready'), both('Stopped')]),
    ['Klaar', 'Gestopt'],
  );
});

test('restores the previous language after an exception', () => {
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

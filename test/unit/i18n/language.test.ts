import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { decimal, language, speaking, translator } from '../../../src/i18n/language.js';

const test = suite('language');
const t = translator({ 'turn {0}, then {1}': '{1} na {0}', Ready: 'Klaar' });

test('a text is said in the language that is spoken, and in English outside', () => {
  assert.equal(
    speaking('nl', () => t`Ready`),
    'Klaar',
  );
  assert.equal(t`Ready`, 'Ready');
});

test('the values stand where the translation puts them', () => {
  const say = (): string => t`turn ${'a'}, then ${'b'}`;
  assert.deepEqual([say(), speaking('nl', say)], ['turn a, then b', 'b na a']);
});

test('a value with braces in it is not taken for a place', () => {
  assert.equal(t`turn ${'{1}'}, then ${'b'}`, 'turn {1}, then b');
});

test('what is missing, and what only objects have, is said in English', () => {
  assert.deepEqual(
    speaking('nl', () => [t('constructor'), t`Nowhere`]),
    ['constructor', 'Nowhere'],
  );
});

test('the language before is spoken again, also after a failure', () => {
  assert.throws(() =>
    speaking('nl', () => {
      throw new Error('in the middle');
    }),
  );
  assert.equal(language(), 'en');
});

test('numbers have the decimal sign of the language, one minus sign, and none for zero', () => {
  const numbers = (): string[] => [decimal(1.25, 1), decimal(-3, 2), decimal(-0.001, 2)];
  assert.deepEqual(numbers(), ['1.3', '−3.00', '0.00']);
  assert.deepEqual(speaking('nl', numbers), ['1,3', '−3,00', '0,00']);
});

test.run();

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { speaking } from '../../../../src/i18n/language.js';
import { moneyText, withMoney } from '../../../../src/shop/http/context.js';
import { TEMPLATES } from '../../../helpers/templates.js';

test('an amount has the form of the language, with its currency', () => {
  const texts = (): string[] => [moneyText(1999, 'EUR'), moneyText(123_450, 'SEK'), moneyText(1, 'USD')];
  assert.deepEqual(texts(), ['€19.99', 'SEK\u00a01,234.50', 'US$0.01']);
  assert.deepEqual(speaking('nl', texts), ['€\u00a019,99', 'SEK\u00a01.234,50', 'US$\u00a00,01']);
});

test('an amount in a sentence of the records has the form of the language', () => {
  const sentence = 'underpaid: EUR 29.50 ordered, EUR 0.01 paid';
  assert.equal(withMoney(sentence), 'underpaid: €29.50 ordered, €0.01 paid');
});

test('templates show a price only as the formatter made it', () => {
  const wrong = [...TEMPLATES].filter(([, template]) => /\{\{currency\}\}|€/.test(template));
  assert.deepEqual(wrong, []);
});

test.run();

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { moneyText } from '../../../../src/console/shop/money-text.js';
import { withLanguage } from '../../../../src/i18n/language.js';
import { TEMPLATES } from '../../../helpers/templates.js';

test('formats an amount with its currency according to the language', () => {
  const texts = (): string[] => [moneyText(1999, 'EUR'), moneyText(123_450, 'SEK'), moneyText(1, 'USD')];
  assert.deepEqual(texts(), ['€\u00a019.99', 'SEK\u00a01,234.50', 'US$\u00a00.01']);
  assert.deepEqual(withLanguage('nl', texts), ['€\u00a019,99', 'SEK\u00a01.234,50', 'US$\u00a00,01']);
});

test('templates contain only formatted prices', () => {
  const unformatted = [...TEMPLATES].filter(([, template]) => /\{\{currency\}\}|€/.test(template));
  assert.deepEqual(unformatted, []);
});

test.run();

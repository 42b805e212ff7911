import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import type { Vocabulary } from '../../../src/i18n/language.js';
import { SERVED, SETTING_TEXTS } from '../../../src/i18n/page-text.js';
import { codeTexts, templateTexts, textsIn } from '../../helpers/texts.js';

const test = suite('vocabulary');

test('finds translatable strings in source code, including those nested in values', () => {
  const source = `t('Cart {0} on {1}', id, f({ a: 1 })) + t("It isn't") + 'no' + t(\n  'a {0}',\n  b ? t('inner') : '')`;
  assert.deepEqual(textsIn(source), ['Cart {0} on {1}', "It isn't", 'a {0}', 'inner']);
});

test('every string in the templates has a Dutch translation', () => {
  const missing = templateTexts().filter(({ text }) => !Object.hasOwn(SERVED, text));
  assert.deepEqual(missing, []);
});

test('an English text has the same translation in all tables of a vocabulary', async () => {
  const folder = new URL('../../../src/locales/nl/', import.meta.url);
  const found = new Map<string, string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.js')) continue;
    const tables: Record<string, Vocabulary> = await import(new URL(file, folder).href);
    for (const [name, table] of Object.entries(tables)) {
      const vocabulary = /_SETTINGS$|^SECTION_TEXTS$/.test(name) ? 'settings' : 'pages';
      for (const [english, dutch] of Object.entries(table)) {
        const key = `${vocabulary}: ${english}`;
        assert.equal(found.get(key) ?? dutch, dutch, `${key} in ${name}`);
        found.set(key, dutch);
      }
    }
  }
  assert.ok(found.size > 1000);
});

test('every translation is used', () => {
  const used = new Set([...codeTexts(), ...templateTexts()].map(({ text }) => text));
  assert.deepEqual(
    Object.keys(SERVED).filter((text) => !used.has(text)),
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

import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { textsOf, translateTemplate } from '../../../src/i18n/template.js';

const test = suite('template translation');
const upperCase = (text: string | TemplateStringsArray): string => String(text).toUpperCase();

test('translates texts and text attributes, but not tags and names', () => {
  const template = '<a href="/stop" class="stop" aria-label="Stop it">\n  Stop {{#a}}now{{/a}}\n</a>';
  assert.equal(
    translateTemplate(template, upperCase),
    '<a href="/stop" class="stop" aria-label="STOP IT">\n  STOP {{#a}}NOW{{/a}}\n</a>',
  );
});

test('treats a value as part of the surrounding text, and ignores a value alone', () => {
  assert.deepEqual(textsOf('<p>Order {{id}}</p><p>{{amount}}</p><p>– · 12</p>'), ['Order {{id}}']);
});

test('does not translate code and options', () => {
  assert.deepEqual(textsOf('<p>Topic <code>sightings</code></p><option selected>debug</option>'), ['Topic']);
});

test('keeps dollar signs of a translation', () => {
  assert.equal(
    translateTemplate('<p>Price</p>', () => '$& $1'),
    '<p>$& $1</p>',
  );
});

test.run();

import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { textsOf, translateTemplate } from '../../../src/i18n/template.js';

const test = suite('template translation');
const upperCase = (text: string): string => text.toUpperCase();

test('translates text and text attributes, but not tags or other attributes', () => {
  const template = '<a href="/stop" class="stop" aria-label="Stop it">\n  Stop {{#a}}now{{/a}}\n</a>';
  assert.equal(
    translateTemplate(template, upperCase),
    '<a href="/stop" class="stop" aria-label="STOP IT">\n  STOP {{#a}}NOW{{/a}}\n</a>',
  );
});

test('extracts a text together with its values, and ignores a value without surrounding text', () => {
  assert.deepEqual(textsOf('<p>Order {{id}}</p><p>{{amount}}</p><p>– · 12</p>'), ['Order {{id}}']);
});

test('does not translate code or option elements', () => {
  assert.deepEqual(textsOf('<p>Topic <code>sightings</code></p><option selected>debug</option>'), ['Topic']);
});

test('preserves dollar signs in a translated template', () => {
  assert.equal(
    translateTemplate('<p>Price</p>', () => '$& $1'),
    '<p>$& $1</p>',
  );
});

test.run();

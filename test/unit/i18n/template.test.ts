import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { textsOf, translateTemplate } from '../../../src/i18n/template.js';

const test = suite('texts of a template');
const shout = (text: string | TemplateStringsArray): string => String(text).toUpperCase();

test('texts and the attributes that are read out are translated, tags and names are not', () => {
  const template = '<a href="/stop" class="stop" aria-label="Stop it">\n  Stop {{#a}}now{{/a}}\n</a>';
  assert.equal(
    translateTemplate(template, shout),
    '<a href="/stop" class="stop" aria-label="STOP IT">\n  STOP {{#a}}NOW{{/a}}\n</a>',
  );
});

test('a value is part of the text around it; alone it is none', () => {
  assert.deepEqual(textsOf('<p>Order {{id}}</p><p>{{amount}}</p><p>– · 12</p>'), ['Order {{id}}']);
});

test('what stands in code and options is for machines', () => {
  assert.deepEqual(textsOf('<p>Topic <code>sightings</code></p><option selected>debug</option>'), ['Topic']);
});

test('a dollar sign in a translation is a dollar sign', () => {
  assert.equal(
    translateTemplate('<p>Price</p>', () => '$& $1'),
    '<p>$& $1</p>',
  );
});

test.run();

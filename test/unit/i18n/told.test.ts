import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { speaking } from '../../../src/i18n/language.js';
import { retelling } from '../../../src/i18n/told.js';

const test = suite('sentences of the rooms, told again');
const told = retelling({
  'the broker is away': 'de broker is weg',
  'not connected ({0})': 'niet verbonden ({0})',
  'is missing': 'ontbreekt',
  'no picture. It is tried again': 'geen beeld. Er wordt opnieuw geprobeerd',
  '{0}. {1}': '{0}. {1}',
  'no word from cart {0} for {1}': 'al {1} niets van kar {0}',
  '{0}: {1}': '{0}: {1}',
});
const inDutch = (text: string): string => speaking('nl', () => told(text));

test('in English nothing is touched', () => {
  assert.equal(told('the broker is away'), 'the broker is away');
});

test('a sentence is found with a capital or without, and keeps it', () => {
  assert.deepEqual(['the broker is away', 'The broker is away'].map(inDutch), [
    'de broker is weg',
    'De broker is weg',
  ]);
});

test('what stands in a sentence is told as well, and stands where Dutch puts it', () => {
  assert.equal(inDutch('not connected (the broker is away)'), 'niet verbonden (de broker is weg)');
  assert.equal(inDutch('no word from cart 3 for 0.7 s'), 'al 0,7 s niets van kar 3');
});

test('the parts of a joined sentence are told each for itself', () => {
  assert.equal(inDutch('mqtt://10.0.0.7:1883: the broker is away'), 'mqtt://10.0.0.7:1883: de broker is weg');
});

test('a capital sentence with a full stop in it is known before it is taken apart', () => {
  assert.equal(inDutch('No picture. It is tried again'), 'Geen beeld. Er wordt opnieuw geprobeerd');
});

test('many parts are taken apart one by one, and what is too long not at all', () => {
  const parts = (count: number): string => Array.from({ length: count }, () => 'a').join(': ');
  assert.equal(inDutch(`${parts(80)}: the broker is away`), `${parts(80)}: de broker is weg`);
  assert.equal(inDutch(`${parts(120)}: the broker is away`), `${parts(120)}: the broker is away`);
});

test('the name of a field stays before what is wrong with it', () => {
  assert.equal(inDutch('points/0/lat is missing'), 'points/0/lat ontbreekt');
  assert.equal(inDutch('somebody is away'), 'somebody is away');
});

test('names, addresses and what nobody knows stay as they are', () => {
  for (const text of ['Anna', '127.0.0.1', 'E_WEIRD 7', '', 'constructor']) assert.equal(inDutch(text), text);
});

test.run();

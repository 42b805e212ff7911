import assert from 'node:assert/strict';
import { test } from 'uvu';
import { cutText } from '../../../src/shared/cut-text.js';

const FAMILY = '👨‍👩‍👧';

test('truncates a text to a number of code points', () => {
  assert.equal(cutText('a'.repeat(64), 64), 'a'.repeat(64));
  assert.equal(cutText('a'.repeat(65), 64), 'a'.repeat(64));
  assert.equal(cutText('😀'.repeat(64), 64), '😀'.repeat(64));
  assert.equal(cutText('😀'.repeat(65), 64), '😀'.repeat(64));
});

test('truncation never splits a character', () => {
  assert.equal(cutText(`aaa😀`, 3), 'aaa');
  assert.equal(cutText(`aaae\u0301`, 4), 'aaa');
  assert.equal(cutText(`aaa${FAMILY}${FAMILY}`, 9), `aaa${FAMILY}`);
  for (let max = 1; max < 20; max++) assert.doesNotMatch(cutText(`a${FAMILY.repeat(5)}`, max), /\p{Cs}/u);
});

test('truncation shortens a single character that is longer than the limit', () => {
  assert.equal(cutText(`e${'\u0301'.repeat(100)}`, 4), `e${'\u0301'.repeat(3)}`);
});

test.run();

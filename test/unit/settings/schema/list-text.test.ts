import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { listFrom, listText } from '../../../../src/settings/schema/list-text.js';

const test = suite('list text');

test('formats one entry per line and formats an empty list as an empty string', () => {
  assert.equal(listText(['a@b.nl', 'c@d.nl']), 'a@b.nl\nc@d.nl');
  assert.equal(listText([2, 3]), '2\n3');
  assert.equal(listText([]), '');
  assert.equal(listText(undefined), '');
});

test('parses one entry per line and ignores blank lines and surrounding spaces', () => {
  assert.deepEqual(listFrom('  a b \r\n\r\n\tc\n', false), ['a b', 'c']);
  assert.deepEqual(listFrom(' \r\n\n', false), []);
  assert.deepEqual(listFrom('', true), []);
});

test('keeps digits as strings in a list of strings', () => {
  assert.deepEqual(listFrom('7\n08', false), ['7', '08']);
});

test('converts the entries of a list of numbers and keeps entries that are not numbers as strings', () => {
  assert.deepEqual(listFrom('2\n-3.5\n0x10\n1e3\nten', true), [2, -3.5, '0x10', '1e3', 'ten']);
});

test.run();

import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { RecentTexts } from '../../../../src/beacons/registry/recent-texts.js';

const test = suite('recent texts cache');

const MAX_BYTES = 64 * 1024;

test('stays within its byte limit when a million different IDs are added', () => {
  const texts = new RecentTexts(MAX_BYTES);
  let peak = 0;
  for (let n = 0; n < 1_000_000; n += 1) {
    texts.set(`beacon-${n}`, '{"id":"some text"}');
    peak = Math.max(peak, texts.bytes);
  }
  assert.ok(peak <= MAX_BYTES && peak > MAX_BYTES / 2, `${peak} bytes`);
  assert.equal(texts.get('beacon-0'), undefined);
  assert.equal(texts.get('beacon-999999'), '{"id":"some text"}');
});

test('keeps an entry that is read repeatedly while other entries are replaced', () => {
  const texts = new RecentTexts(MAX_BYTES);
  texts.set('beacon-door', 'the door');
  for (let n = 0; n < 10_000; n += 1) {
    texts.set(`beacon-${n}`, 'x');
    assert.equal(texts.get('beacon-door'), 'the door');
  }
  assert.ok(texts.bytes <= MAX_BYTES);
});

test('deletes an ID from both cache generations and subtracts its bytes', () => {
  const texts = new RecentTexts(2000);
  for (let n = 0; n < 12; n += 1) texts.set(`beacon-${n}`, 'x');
  for (let n = 0; n < 12; n += 1) texts.delete(`beacon-${n}`);
  assert.equal(texts.bytes, 0);
  texts.set('beacon-1', 'old');
  texts.set('beacon-1', 'newer');
  assert.equal(texts.get('beacon-1'), 'newer');
  texts.delete('beacon-1');
  assert.equal(texts.get('beacon-1'), undefined);
  texts.set('beacon-1', 'x');
  texts.clear();
  assert.deepEqual([texts.get('beacon-1'), texts.bytes], [undefined, 0]);
});

test('does not store a string larger than half the limit', () => {
  const texts = new RecentTexts(2000);
  texts.set('beacon-1', 'x'.repeat(1000));
  assert.deepEqual([texts.get('beacon-1'), texts.bytes], [undefined, 0]);
});

test.run();

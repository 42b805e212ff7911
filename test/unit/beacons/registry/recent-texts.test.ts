import assert from 'node:assert/strict';
import { test } from 'uvu';
import { RecentTexts } from '../../../../src/beacons/registry/recent-texts.js';

const MOST_BYTES = 64 * 1024;

test('recent texts stay within their bytes under a million different ids', () => {
  const texts = new RecentTexts(MOST_BYTES);
  let most = 0;
  for (let n = 0; n < 1_000_000; n += 1) {
    texts.keep(`beacon-${n}`, '{"id":"some text"}');
    most = Math.max(most, texts.bytes);
  }
  assert.ok(most <= MOST_BYTES && most > MOST_BYTES / 2, `${most} bytes`);
  assert.equal(texts.get('beacon-0'), undefined);
  assert.equal(texts.get('beacon-999999'), '{"id":"some text"}');
});

test('recent texts keep what is read while others come and go', () => {
  const texts = new RecentTexts(MOST_BYTES);
  texts.keep('beacon-door', 'the door');
  for (let n = 0; n < 10_000; n += 1) {
    texts.keep(`beacon-${n}`, 'x');
    assert.equal(texts.get('beacon-door'), 'the door');
  }
  assert.ok(texts.bytes <= MOST_BYTES);
});

test('recent texts forget an id wherever it lies, and count its bytes no more', () => {
  const texts = new RecentTexts(2000);
  for (let n = 0; n < 12; n += 1) texts.keep(`beacon-${n}`, 'x');
  for (let n = 0; n < 12; n += 1) texts.forget(`beacon-${n}`);
  assert.equal(texts.bytes, 0);
  texts.keep('beacon-1', 'old');
  texts.keep('beacon-1', 'newer');
  assert.equal(texts.get('beacon-1'), 'newer');
  texts.forget('beacon-1');
  assert.equal(texts.get('beacon-1'), undefined);
  texts.keep('beacon-1', 'x');
  texts.clear();
  assert.deepEqual([texts.get('beacon-1'), texts.bytes], [undefined, 0]);
});

test('recent texts do not keep a text that needs half of all bytes', () => {
  const texts = new RecentTexts(2000);
  texts.keep('beacon-1', 'x'.repeat(1000));
  assert.deepEqual([texts.get('beacon-1'), texts.bytes], [undefined, 0]);
});

test.run();

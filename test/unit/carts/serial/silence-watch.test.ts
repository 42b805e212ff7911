import assert from 'node:assert/strict';
import { test } from 'uvu';
import { SilenceWatch } from '../../../../src/carts/serial/silence-watch.js';

/** Returns the silence level at each time, after a single report at 10 s. */
function levels(moving: boolean, times: readonly number[]): string[] {
  const watch = new SilenceWatch();
  watch.check(9000, true);
  watch.reset(10_000);
  return times.map((nowMs) => watch.check(nowMs, moving).level);
}

test('reports the controller as quiet after 300 ms and as lost after 1 s during motion', () => {
  assert.deepEqual(levels(true, [10_300, 10_301, 11_000, 11_001]), ['fine', 'quiet', 'quiet', 'lost']);
});

test('reports the controller as quiet after 1.2 s and as lost after 1.5 s while the cart is idle', () => {
  assert.deepEqual(levels(false, [11_200, 11_201, 11_500, 11_501]), ['fine', 'quiet', 'quiet', 'lost']);
});

test('counts silence during a motion only from the start of the motion', () => {
  const watch = new SilenceWatch();
  watch.reset(10_000);
  assert.equal(watch.check(10_900, false).level, 'fine');
  assert.deepEqual(watch.check(11_200, true), { level: 'fine', quietMs: 300 });
  assert.deepEqual(watch.check(11_201, true), { level: 'quiet', quietMs: 301 });
  assert.equal(watch.check(11_901, true).level, 'lost');
});

test('the silence ends when the next report arrives', () => {
  const watch = new SilenceWatch();
  watch.reset(10_000);
  assert.equal(watch.check(12_000, false).level, 'lost');
  watch.reset(12_000);
  assert.deepEqual([watch.check(12_000, false).level, watch.lastReportMs], ['fine', 12_000]);
});

test.run();

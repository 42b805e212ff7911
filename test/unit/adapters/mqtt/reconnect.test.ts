import assert from 'node:assert/strict';
import { test } from 'uvu';
import { ReconnectPolicy } from '../../../../src/adapters/mqtt/bus.js';

test('doubles the reconnect delay from 0.5 s up to 30 s, with full jitter', () => {
  const longest = new ReconnectPolicy(() => 1);
  const delays = Array.from({ length: 9 }, () => longest.next(0));
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  const half = new ReconnectPolicy(() => 0.5);
  assert.deepEqual([half.next(0), half.next(0)], [250, 500]);
});

test('resets the delay after a long connection, but not after one that ends immediately', () => {
  const policy = new ReconnectPolicy(() => 1);
  policy.next(0);
  policy.opened(1000);
  assert.equal(policy.next(1500), 1000);
  policy.opened(2000);
  assert.equal(policy.next(10_000), 500);
});

// Fault case 36
test('marks the client ID as contested at the fourth early disconnect within a minute', () => {
  const policy = new ReconnectPolicy(() => 0);
  const delays = [0, 1, 2, 3].map((second) => {
    policy.opened(second * 1000);
    return policy.next(second * 1000 + 10);
  });
  assert.deepEqual(delays, [0, 0, 0, 30_000]);
  policy.opened(40_000);
  assert.equal(policy.next(99_000), 30_000);
  policy.opened(200_000);
  assert.equal(policy.next(260_000), 0);
  assert.equal(policy.contested, false);
});

test('ignores early disconnects that are spread over more than a minute', () => {
  const policy = new ReconnectPolicy(() => 0);
  for (const atMs of [0, 25_000, 50_000, 75_000, 100_000, 125_000]) {
    policy.opened(atMs);
    policy.next(atMs + 10);
  }
  assert.equal(policy.contested, false);
});

test.run();

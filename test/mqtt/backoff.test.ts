import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Backoff } from '../../src/adapters/mqtt-backoff.js';

test('29: pauses double from 0.5 s to 30 s, each drawn at random from nothing to the full length', () => {
  const longest = new Backoff(() => 1);
  const pauses = Array.from({ length: 9 }, () => longest.next(0));
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  const half = new Backoff(() => 0.5);
  assert.deepEqual([half.next(0), half.next(0)], [250, 500]);
});

test('a connection that has lasted begins the pauses anew; one that ends at once does not', () => {
  const backoff = new Backoff(() => 1);
  backoff.next(0);
  backoff.opened(1000);
  assert.equal(backoff.next(1500), 1000);
  backoff.opened(2000);
  assert.equal(backoff.next(10_000), 500);
});

test('36: the fourth early end within a minute means a contested client id, until a connection lasts a minute', () => {
  const backoff = new Backoff(() => 0);
  const pauses = [0, 1, 2, 3].map((second) => {
    backoff.opened(second * 1000);
    return backoff.next(second * 1000 + 10);
  });
  assert.deepEqual(pauses, [0, 0, 0, 30_000]);
  backoff.opened(40_000);
  assert.equal(backoff.next(99_000), 30_000);
  backoff.opened(200_000);
  assert.equal(backoff.next(260_000), 0);
  assert.equal(backoff.contested, false);
});

test('early ends that are spread over more than a minute mean nothing', () => {
  const backoff = new Backoff(() => 0);
  for (const atMs of [0, 25_000, 50_000, 75_000, 100_000, 125_000]) {
    backoff.opened(atMs);
    backoff.next(atMs + 10);
  }
  assert.equal(backoff.contested, false);
});

test.run();

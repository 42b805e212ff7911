import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Redial } from '../../../../src/adapters/mqtt/bus.js';

test('pauses double from 0.5 s to 30 s, each drawn at random from nothing to the full length', () => {
  const longest = new Redial(() => 1);
  const pauses = Array.from({ length: 9 }, () => longest.next(0));
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  const half = new Redial(() => 0.5);
  assert.deepEqual([half.next(0), half.next(0)], [250, 500]);
});

test('a connection that has lasted begins the pauses anew; one that ends at once does not', () => {
  const redial = new Redial(() => 1);
  redial.next(0);
  redial.opened(1000);
  assert.equal(redial.next(1500), 1000);
  redial.opened(2000);
  assert.equal(redial.next(10_000), 500);
});

// Fault case 36
test('the fourth early end within a minute means a contested client id, until a connection lasts a minute', () => {
  const redial = new Redial(() => 0);
  const pauses = [0, 1, 2, 3].map((second) => {
    redial.opened(second * 1000);
    return redial.next(second * 1000 + 10);
  });
  assert.deepEqual(pauses, [0, 0, 0, 30_000]);
  redial.opened(40_000);
  assert.equal(redial.next(99_000), 30_000);
  redial.opened(200_000);
  assert.equal(redial.next(260_000), 0);
  assert.equal(redial.contested, false);
});

test('early ends that are spread over more than a minute mean nothing', () => {
  const redial = new Redial(() => 0);
  for (const atMs of [0, 25_000, 50_000, 75_000, 100_000, 125_000]) {
    redial.opened(atMs);
    redial.next(atMs + 10);
  }
  assert.equal(redial.contested, false);
});

test.run();

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FairSeats } from '../../../src/shared/connection-limit.js';

test('evicts the oldest seat of the holder with the most', () => {
  const evicted: string[] = [];
  const seats = new FairSeats<string>(4, (seat) => evicted.push(seat));
  for (const seat of ['a1', 'a2', 'a3']) seats.take('a', seat);
  seats.take('b', 'b1');
  seats.take('c', 'c1');
  assert.deepEqual([evicted, seats.size], [['a1'], 4]);
});

test('frees a seat once, however often it is left', () => {
  const seats = new FairSeats<string>(1, () => undefined);
  seats.take('a', 'a1');
  seats.leave('a', 'a1');
  seats.leave('a', 'a1');
  assert.equal(seats.size, 0);
});

test.run();

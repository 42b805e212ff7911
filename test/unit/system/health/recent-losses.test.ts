import assert from 'node:assert/strict';
import { test } from 'uvu';
import { RecentLosses } from '../../../../src/system/health/recent-losses.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

test('counts the connection losses of the last hour', () => {
  const clock = new FakeClock();
  const losses = new RecentLosses(clock);
  assert.equal(losses.count, 0);
  losses.add();
  clock.advance(1_800_000);
  losses.add();
  losses.add();
  assert.equal(losses.count, 3);
  clock.advance(1_800_000);
  assert.equal(losses.count, 2);
});

test('counts at most 1000 connection losses', () => {
  const losses = new RecentLosses(new FakeClock());
  for (let count = 0; count < 1500; count += 1) losses.add();
  assert.equal(losses.count, 1000);
});

test.run();

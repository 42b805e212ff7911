import assert from 'node:assert/strict';
import { test } from 'uvu';
import { AttemptLimit } from '../../../src/access/attempt-limit.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { hasCode } from '../../helpers/has-code.js';

const QUARTER_MS = 15 * 60_000;

function setUp() {
  const clock = new FakeClock();
  const window = { windowMs: QUARTER_MS, blockMs: QUARTER_MS, maxBlockMs: 4 * QUARTER_MS };
  const limit = new AttemptLimit({ ...window, maxAttempts: 5, clock });
  /** Makes five attempts, and returns true if a sixth one is blocked. */
  const isBlocked = (key: string): boolean => {
    for (let at = 0; at < 5; at += 1) limit.take(key);
    try {
      limit.take(key);
      return false;
    } catch (error) {
      assert.ok(hasCode('RATE')(error));
      return true;
    }
  };
  return { clock, limit, isBlocked };
}

test('the block time doubles with each block, up to the maximum', () => {
  const { clock, limit, isBlocked } = setUp();
  for (const quarters of [1, 2, 4, 4]) {
    assert.ok(isBlocked('anna'));
    clock.advance(quarters * QUARTER_MS - 1);
    assert.throws(() => limit.take('anna'), hasCode('RATE'));
    clock.advance(1);
  }
  limit.take('anna');
});

test('a block lasts longer than the counting window, and attempts are then counted from zero', () => {
  const { clock, isBlocked } = setUp();
  assert.ok(isBlocked('anna'));
  clock.advance(QUARTER_MS);
  assert.ok(isBlocked('anna'), 'five further attempts are permitted');
});

test('counts at most 10,000 keys and drops the oldest key first', () => {
  const { limit, isBlocked } = setUp();
  assert.ok(isBlocked('anna'));
  for (let at = 0; at < 9_999; at += 1) limit.take(`other ${at}`);
  assert.throws(() => limit.take('anna'), hasCode('RATE'));
  limit.take('one more');
  limit.take('anna');
});

test.run();

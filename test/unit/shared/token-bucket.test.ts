import assert from 'node:assert/strict';
import { test } from 'uvu';
import { TokenBucket } from '../../../src/shared/token-bucket.js';
import { FakeClock } from '../../helpers/fake-clock.js';

function setUp(maxKeys?: number) {
  const clock = new FakeClock();
  const options = { burst: 3, refillMs: 100, clock };
  return { clock, bucket: new TokenBucket(maxKeys === undefined ? options : { ...options, maxKeys }) };
}

function takeAll(bucket: TokenBucket, key: string): void {
  for (let at = 0; at < 3; at += 1) assert.equal(bucket.take(key), 0);
}

test('a bucket permits a burst of attempts, and then one attempt per interval', () => {
  const { clock, bucket } = setUp();
  takeAll(bucket, 'a');
  assert.equal(bucket.take('a'), 100);
  clock.advance(99);
  assert.equal(bucket.take('a'), 1);
  clock.advance(1);
  assert.equal(bucket.take('a'), 0);
  assert.equal(bucket.take('a'), 100);
});

test('the interval of a bucket that has refilled starts with the next attempt', () => {
  const { clock, bucket } = setUp();
  bucket.take('a');
  clock.advance(150);
  takeAll(bucket, 'a');
  assert.equal(bucket.take('a'), 100);
});

test('a refunded attempt is permitted again', () => {
  const { bucket } = setUp();
  takeAll(bucket, 'a');
  bucket.refund('a');
  assert.equal(bucket.take('a'), 0);
  assert.ok(bucket.take('a') > 0);
});

for (const [maxKeys, limit] of [
  [undefined, 10_000],
  [2, 2],
] as const) {
  test(`counts at most ${limit} keys and drops the least recently used one`, () => {
    const { bucket } = setUp(maxKeys);
    takeAll(bucket, 'first');
    takeAll(bucket, 'second');
    for (let at = 2; at < limit; at += 1) bucket.take(`other ${at}`);
    assert.ok(bucket.take('first') > 0, 'the limit of the first key still applies');
    bucket.take('one more');
    assert.ok(bucket.take('first') > 0);
    assert.equal(bucket.take('second'), 0);
  });
}

test.run();

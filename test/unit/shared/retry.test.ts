import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Backoff, doubling, type RetryPolicy, resend, retryDelayMs } from '../../../src/shared/retry.js';
import { FakeClock } from '../../helpers/fake-clock.js';

test('the delay doubles from its first value to its maximum', () => {
  assert.deepEqual(doubling(250, 5000), [250, 500, 1000, 2000, 4000, 5000]);
});

test('repeats the last delay, and starts again with the first delay after a reset', () => {
  const backoff = new Backoff({ delaysMs: [100, 300], jitter: 'none' });
  assert.deepEqual([backoff.next(), backoff.next(), backoff.next()], [100, 300, 300]);
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test('varies the delay within the limits of each jitter setting', () => {
  const bounds: [RetryPolicy['jitter'], number, number][] = [
    ['none', 1000, 1000],
    ['slight', 800, 1200],
    ['half', 500, 1000],
    ['full', 0, 1000],
  ];
  for (const [jitter, min, max] of bounds) {
    const policy: RetryPolicy = { delaysMs: [1000], jitter };
    const delays = [0, 1].map((random) => Math.round(retryDelayMs(policy, 1, () => random)));
    assert.deepEqual(delays, [min, max], jitter);
  }
});

const POLICY = { everyMs: 20, tries: 3, graceMs: 80 };

test('sends immediately, resends, and gives up after the grace period', () => {
  const clock = new FakeClock();
  const sent: number[] = [];
  const givenUp: unknown[] = [];
  resend(
    clock,
    POLICY,
    (nth) => sent.push(nth),
    (error) => givenUp.push(error),
  );
  assert.deepEqual(sent, [1]);
  clock.advance(119);
  assert.deepEqual([sent, givenUp], [[1, 2, 3], []]);
  clock.advance(1);
  assert.deepEqual(givenUp, [undefined]);
});

test('a cancelled retry stops sending', () => {
  const clock = new FakeClock();
  const sent: number[] = [];
  const cancel = resend(
    clock,
    POLICY,
    (nth) => sent.push(nth),
    () => assert.fail('not expected after cancel'),
  );
  cancel();
  clock.advance(1000);
  assert.deepEqual(sent, [1]);
});

test('stops resending and reports the error when send() throws', () => {
  const clock = new FakeClock();
  const failure = new Error('closed');
  const givenUp: unknown[] = [];
  const send = (): void => {
    throw failure;
  };
  resend(clock, POLICY, send, (error) => givenUp.push(error));
  clock.advance(1000);
  assert.deepEqual(givenUp, [failure]);
});

test.run();

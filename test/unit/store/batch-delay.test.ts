import assert from 'node:assert/strict';
import { test } from 'uvu';
import { BatchDelay } from '../../../src/store/write-queue.js';

/** Returns a batch delay and a promise that resolves when the delay ends. */
function batchDelay(): { delay: BatchDelay; over: Promise<void> } {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { delay: new BatchDelay(end), over };
}

test('delays the next batch after a slow commit until the expected writes are queued', async () => {
  const { delay, over } = batchDelay();
  delay.begin(64, 20);
  assert.deepEqual(
    [0, 32, 63, 64, 65].map((queued) => delay.isWaiting(queued)),
    [true, true, true, false, false],
  );
  // The delay also ends if no further writes are queued.
  await over;
  assert.equal(delay.isWaiting(0), false);
});

test('does not delay the next batch after a fast commit or after a batch has been sent', () => {
  const { delay } = batchDelay();
  delay.begin(64, 0.3);
  assert.equal(delay.isWaiting(1), false);
  delay.begin(64, 200);
  delay.end();
  assert.equal(delay.isWaiting(1), false);
});

test.run();

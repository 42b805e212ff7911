import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Gathering } from '../../../../src/store/writer/queue.js';

/** A gathering, and the moment at which its time is over. */
function gathering(): { gathering: Gathering; over: Promise<void> } {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { gathering: new Gathering(end), over };
}

test('after a slow commit the next batch waits until as many writes have come as can be expected', async () => {
  const { gathering: pause, over } = gathering();
  pause.begin(64, 20);
  assert.deepEqual(
    [0, 32, 63, 64, 65].map((queued) => pause.isWaiting(queued)),
    [true, true, true, false, false],
  );
  // Callers that do not come back are not waited for.
  await over;
  assert.equal(pause.isWaiting(0), false);
});

test('after a quick commit, and after the batch has left, nothing is waited for', () => {
  const { gathering: pause } = gathering();
  pause.begin(64, 0.3);
  assert.equal(pause.isWaiting(1), false);
  pause.begin(64, 200);
  pause.end();
  assert.equal(pause.isWaiting(1), false);
});

test.run();

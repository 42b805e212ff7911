import assert from 'node:assert/strict';
import type { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import { GatewayError } from '../../../src/shared/errors.js';
import { runWorker } from '../../../src/shared/worker.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { until } from '../../helpers/until.js';

const test = suite('worker');
/** Never responds, as if a library tried something again without limit. */
const SCRIPT = 'data:text/javascript,for(;;);';

test('a worker that takes longer than its limit fails, and its thread ends', async () => {
  const clock = new FakeClock();
  let isEnded = false;
  process.once('worker', (worker: Worker) =>
    worker.once('exit', () => {
      isEnded = true;
    }),
  );
  const exited = (): GatewayError => new GatewayError('STORE_FAILED', 'exited');
  const late = (): GatewayError => new GatewayError('STORE_FAILED', 'late');
  const { done, cancel } = runWorker(SCRIPT, undefined, exited, { limit: { clock, ms: 60_000, late } });
  try {
    clock.advance(60_000);
    await assert.rejects(done, /late/);
    await until(() => isEnded);
    assert.equal(clock.timers, 0);
  } finally {
    await cancel();
  }
});

test.run();

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { closedGate, count, hasErrorCode, insert, withTempStore } from './temp-store.js';

for (const [how, operation] of [
  ['ends', 'test.exit'],
  // The writer responds, then throws in a later iteration of the event loop.
  ['throws', 'test.crashLater'],
] as const) {
  test(
    `rejects pending writes and restarts the thread when the writer ${how}`,
    withTempStore(async ({ open, clock, log }) => {
      const store = await open();
      await insert(store, 0, 20);
      const unknown: string[] = [];
      store.onCommit(({ outcome, names }) => outcome === 'unknown' && unknown.push(...names));

      const restart = clock.nextTimer();
      const { gate, held: untilHeld, open: release } = closedGate();
      const held = store.write('test.hold', gate).catch((error: unknown) => error);
      const crash = store.write(operation, {}).catch((error: unknown) => error);
      const sent = insert(store, 50, 51).catch((error: unknown) => error);
      await untilHeld();
      // This write is sent while the thread is blocked.
      const waiting = assert.rejects(insert(store, 55, 56), hasErrorCode('STORE_FAILED', /./));
      await new Promise(setImmediate);
      release();
      await Promise.all([crash, held, waiting, restart]);
      const isUncertain = hasErrorCode('STORE_FAILED', /not known whether the data was saved/);
      assert.equal(isUncertain(await sent), operation === 'test.exit');

      const { healthy, reason } = store.status();
      assert.equal(healthy, false);
      assert.match(textOf(reason), /the writer thread (exited|failed) and is being restarted/);
      assert.equal(
        unknown.includes('test.hold'),
        operation === 'test.exit',
        'the uncertain write was not announced',
      );
      await assert.rejects(insert(store, 60, 61), hasErrorCode('STORE_FAILED', /nothing was saved/));
      assert.ok(count(store) >= 20, 'reads fail');

      const recovered = log.next('store.recovered');
      clock.advance(500);
      await recovered;
      await insert(store, 70, 71);
      assert.deepEqual([store.status().healthy, store.status().metrics.writerRestarts], [true, 1]);
      assert.ok(count(store) >= 21);
      assert.ok(store.status().metrics.operations >= 21, 'the counters were reset by the restart');
    }),
  );
}

test(
  'restarts a writer that crashes repeatedly',
  withTempStore(async ({ open, clock, log }) => {
    const store = await open();
    for (let n = 1; n <= 3; n += 1) {
      const restart = clock.nextTimer();
      await store.write('test.exit', {}).catch(() => {});
      await restart;
      const recovered = log.next('store.recovered');
      clock.advance(500);
      await recovered;
    }
    assert.equal(store.status().metrics.writerRestarts, 3);
    await insert(store, 0, 1);
  }),
);

test(
  'closing the store during the restart delay does not wait for the restart',
  withTempStore(async ({ open, clock }) => {
    const store = await open();
    const restart = clock.nextTimer();
    await store.write('test.exit', {}).catch(() => {});
    await restart;
    await store.close();
    assert.equal(clock.timers, 0);
  }),
);

test(
  'closing the store rejects pending writes if the writer crashes',
  withTempStore(async ({ open }) => {
    const store = await open();
    const write = assert.rejects(store.write('test.exit', {}), hasErrorCode('STORE_FAILED', /not known/));
    await store.close();
    await write;
  }),
);

test.run();

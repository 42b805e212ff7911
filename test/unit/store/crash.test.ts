import assert from 'node:assert/strict';
import { test } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { closedGate, count, hasErrorCode, insert, withTempStore } from './temp-store.js';

for (const [how, operation] of [
  ['ends', 'test.exit'],
  // It answers what it has, then throws.
  ['throws', 'test.crashLater'],
] as const) {
  test(
    `when the writer ${how}, what is lost is told so, and the thread is started again`,
    withTempStore(async ({ open, clock, log }) => {
      const store = await open();
      await insert(store, 0, 20);
      const unknown: string[] = [];
      store.onCommit(({ outcome, names }) => outcome === 'unknown' && unknown.push(...names));

      const restart = clock.nextTimer();
      const { gate, held: isHeld, open: go } = closedGate();
      const held = store.write('test.hold', gate).catch((error: unknown) => error);
      const crash = store.write(operation, {}).catch((error: unknown) => error);
      const sent = insert(store, 50, 51).catch((error: unknown) => error);
      await isHeld();
      // Written while the thread is busy, so it waits for it.
      const waiting = assert.rejects(insert(store, 55, 56), hasErrorCode('STORE_FAILED', /./));
      await new Promise(setImmediate);
      go();
      await Promise.all([crash, held, waiting, restart]);
      const isUnknown = hasErrorCode('STORE_FAILED', /not known whether this was saved/);
      assert.equal(isUnknown(await sent), operation === 'test.exit');

      const { healthy, reason } = store.status();
      assert.equal(healthy, false);
      assert.match(textOf(reason), /the writer thread ended.*started again/);
      assert.equal(unknown.includes('test.hold'), operation === 'test.exit', 'caches are told of it');
      await assert.rejects(insert(store, 60, 61), hasErrorCode('STORE_FAILED', /nothing was saved/));
      assert.ok(count(store) >= 20, 'reading goes on');

      const recovered = log.next('store.recovered');
      clock.advance(500);
      await recovered;
      await insert(store, 70, 71);
      assert.deepEqual([store.status().healthy, store.status().metrics.writerRestarts], [true, 1]);
      assert.ok(count(store) >= 21);
      assert.ok(store.status().metrics.operations >= 21, 'the counters go on over the restart');
    }),
  );
}

test(
  'a writer that dies again and again is started at ever longer distances',
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
  'a gateway that stops while the writer is down waits for nothing',
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
  'a writer that dies while the gateway stops leaves no caller waiting',
  withTempStore(async ({ open }) => {
    const store = await open();
    const write = assert.rejects(store.write('test.exit', {}), hasErrorCode('STORE_FAILED', /not known/));
    await store.close();
    await write;
  }),
);

test.run();

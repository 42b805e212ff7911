import assert from 'node:assert/strict';
import { test } from 'uvu';
import { EstopLatch } from '../../../../src/carts/safety/estop-latch.js';
import { type Latch, UNLATCHED } from '../../../../src/carts/safety/refusals.js';
import { actorName, userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

test('logs a failed save of the latch only once, regardless of the number of retries', async () => {
  const failures: unknown[] = [];
  const log = { ...quietLog, error: (event: string) => failures.push(event) };
  const clock = new FakeClock();
  const store = { load: async () => UNLATCHED, save: () => Promise.reject(new Error('EIO')) };
  const latch = new EstopLatch(store, clock, log);
  latch.set({ kind: 'REMOTE', by: userActor('a test'), at: '' });
  await latch.save();
  clock.advance(1000);
  await latch.saved();
  assert.deepEqual(failures, ['estop.save_failed']);
  assert.match(textOf(latch.fault), /could not be saved: EIO$/);
  latch.close();
});

test('combines changes made during a save into one further save of the last value', async () => {
  const written: string[] = [];
  const writes: (() => void)[] = [];
  const save = ({ by }: Latch) => {
    written.push(actorName(by));
    return new Promise<void>((resolve) => writes.push(resolve));
  };
  const latch = new EstopLatch({ load: async () => UNLATCHED, save }, new FakeClock(), quietLog);
  for (let press = 0; press < 100; press++) {
    latch.set({ kind: 'REMOTE', by: userActor(`press ${press}`), at: '' });
    void latch.save();
    if (press === 0) await settle();
  }
  let isSaved = false;
  const saved = latch.saved().then(() => (isSaved = true));
  writes.shift()?.();
  await settle();
  assert.deepEqual(written, ['press 0', 'press 99']);
  assert.equal(isSaved, false, 'the last press is not on the disk yet');
  writes.shift()?.();
  await saved;
});

// Fault case 72
test('waits at most 0.8 s for a disk that does not respond, and reports the disk until the latch is saved', async () => {
  let end = (): void => undefined;
  const save = () => new Promise<void>((resolve) => (end = resolve));
  const clock = new FakeClock();
  const latch = new EstopLatch({ load: async () => UNLATCHED, save }, clock, quietLog);
  latch.set({ kind: 'REMOTE', by: userActor('a test'), at: '' });
  const written = latch.save();
  await settle();
  let isAnswered = false;
  const saved = latch.saved().then(() => (isAnswered = true));
  clock.advance(799);
  await settle();
  assert.deepEqual([isAnswered, textOf(latch.fault)], [false, '']);
  clock.advance(1);
  await saved;
  assert.equal(textOf(latch.failure), '');
  assert.match(textOf(latch.fault), /has not been saved yet, because the disk does not respond$/);
  end();
  await written;
  assert.equal(textOf(latch.fault), '');
});

test('leaves no timer running when the disk responds in time', async () => {
  const clock = new FakeClock();
  const latch = new EstopLatch({ load: async () => UNLATCHED, save: async () => undefined }, clock, quietLog);
  latch.set({ kind: 'REMOTE', by: userActor('a test'), at: '' });
  void latch.save();
  await latch.saved();
  assert.deepEqual([clock.timers, textOf(latch.fault)], [0, '']);
});

test.run();

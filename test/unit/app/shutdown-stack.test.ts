import assert from 'node:assert/strict';
import { test } from 'uvu';
import { ShutdownStack } from '../../../src/app/shutdown-stack.js';

test('closes resources in reverse order, one at a time', async () => {
  const closers = new ShutdownStack();
  const closed: string[] = [];
  closers.defer('store', () => closed.push('store'));
  closers.defer('cart', async () => {
    await Promise.resolve();
    closed.push('cart');
  });
  await closers.closeAll(() => assert.fail('nothing fails'));
  assert.deepEqual(closed, ['cart', 'store']);
});

test('reports a failed shutdown step by name and runs the remaining steps', async () => {
  const closers = new ShutdownStack();
  const closed: string[] = [];
  const failures: unknown[] = [];
  closers.defer('store', () => closed.push('store'));
  closers.defer('camera', () => Promise.reject(new Error('no answer')));
  await closers.closeAll((name, error) => failures.push([name, String(error)]));
  assert.deepEqual(closed, ['store']);
  assert.deepEqual(failures, [['camera', 'Error: no answer']]);
});

test('runs every step only once even if the stack is closed twice', async () => {
  const closers = new ShutdownStack();
  let times = 0;
  closers.defer('store', () => {
    times += 1;
  });
  await closers.closeAll(() => undefined);
  await closers.closeAll(() => undefined);
  assert.equal(times, 1);
});

test.run();

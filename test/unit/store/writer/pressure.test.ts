import assert from 'node:assert/strict';
import { test } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import { closedGate, count, hasErrorCode, insert, withTempStore } from '../temp-store.js';

test(
  'rejects writes immediately while the queue is full, and accepts writes again afterwards',
  withTempStore(async ({ open }) => {
    const store = await open({ queueOperations: 50 });
    const { gate, held, open: release } = closedGate();
    const hold = store.write('test.hold', gate);
    await held();
    const accepted = insert(store, 0, 49);
    await assert.rejects(store.write('test.insert', { id: 50, text: 'x' }), (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual([error.code, error.info], ['STORE_BUSY', { retryAfterS: 1 }]);
      return true;
    });
    const { queueOperations, metrics } = store.status();
    assert.deepEqual([queueOperations, metrics.refusedOperations], [50, 1]);
    release();
    await Promise.all([hold, accepted]);
    await insert(store, 50, 51);
    const after = store.status();
    assert.deepEqual([after.queueOperations, after.queueBytes, count(store)], [0, 0, 50]);
  }),
);

test(
  'rejects a write larger than the free queue space as STORE_BUSY, and a write larger than the queue as TOO_LARGE',
  withTempStore(async ({ open }) => {
    const store = await open({ queueBytes: 10_000 });
    const { gate, held, open: release } = closedGate();
    const hold = store.write('test.hold', gate);
    await held();
    const text = 'x'.repeat(2000);
    const accepted = Promise.all([1, 2].map((id) => store.write('test.insert', { id, text })));
    await assert.rejects(store.write('test.insert', { id: 3, text }), hasErrorCode('STORE_BUSY'));
    await assert.rejects(
      store.write('test.insert', { id: 4, text: text.repeat(5) }),
      hasErrorCode('TOO_LARGE'),
    );
    release();
    await Promise.all([hold, accepted]);
    assert.equal(count(store), 2);
  }),
);

test(
  'rejects a write with circular arguments',
  withTempStore(async ({ open }) => {
    const store = await open();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await assert.rejects(store.write('test.insert', circular), /nested too deeply/);
  }),
);

test.run();

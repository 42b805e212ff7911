import assert from 'node:assert/strict';
import { test } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import { closedGate, count, hasErrorCode, insert, withTempStore } from '../temp-store.js';

test(
  'beyond the number that may wait a write is refused at once, and later ones are taken again',
  withTempStore(async ({ open }) => {
    const store = await open({ queueOperations: 50 });
    const { gate, held, open: go } = closedGate();
    const hold = store.write('test.hold', gate);
    await held();
    const taken = insert(store, 0, 49);
    await assert.rejects(store.write('test.insert', { id: 50, text: 'x' }), (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual([error.code, error.info], ['STORE_BUSY', { retryAfterS: 1 }]);
      return true;
    });
    const { queueOperations, metrics } = store.status();
    assert.deepEqual([queueOperations, metrics.refusedOperations], [50, 1]);
    go();
    await Promise.all([hold, taken]);
    await insert(store, 50, 51);
    const after = store.status();
    assert.deepEqual([after.queueOperations, after.queueBytes, count(store)], [0, 0, 50]);
  }),
);

test(
  'beyond the bytes that may wait a write is refused, and one that could never fit is told so',
  withTempStore(async ({ open }) => {
    const store = await open({ queueBytes: 10_000 });
    const { gate, held, open: go } = closedGate();
    const hold = store.write('test.hold', gate);
    await held();
    const text = 'x'.repeat(2000);
    const taken = Promise.all([1, 2].map((id) => store.write('test.insert', { id, text })));
    await assert.rejects(store.write('test.insert', { id: 3, text }), hasErrorCode('STORE_BUSY'));
    await assert.rejects(
      store.write('test.insert', { id: 4, text: text.repeat(5) }),
      hasErrorCode('TOO_LARGE'),
    );
    go();
    await Promise.all([hold, taken]);
    assert.equal(count(store), 2);
  }),
);

test(
  'arguments without end are refused instead of measured for ever',
  withTempStore(async ({ open }) => {
    const store = await open();
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    await assert.rejects(store.write('test.insert', ring), /nested too deeply/);
  }),
);

test.run();

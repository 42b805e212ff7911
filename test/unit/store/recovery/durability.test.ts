import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { STORE_LIMITS } from '../../../../src/store/limits.js';
import { startDatabase } from '../../../../src/store/recovery/open-database.js';
import { hasErrorCode, insert, withTempStore } from '../temp-store.js';

const PRAGMAS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  timeout: 2000,
  trusted_schema: 0,
  recursive_triggers: 1,
  journal_size_limit: 4 * 1024 * 1024,
};

for (const state of ['new', 'reopened', 'crashed']) {
  test(
    `a ${state} database has all durability pragmas set after a write`,
    withTempStore(async ({ open }) => {
      let store = await open();
      await insert(store, 0, 10);
      if (state !== 'new') {
        // The second store recovers the log while the first still has it open.
        if (state === 'reopened') await store.close();
        store = await open();
      }
      await insert(store, 100, 110);
      for (const [name, expected] of Object.entries(PRAGMAS)) {
        const pragma = name === 'timeout' ? 'busy_timeout' : name;
        assert.equal(
          (await store.write<Record<string, unknown>>('test.pragma', { name: pragma }))[name],
          expected,
        );
      }
    }),
  );
}

test(
  'only the owner can access the database and its log',
  withTempStore(async ({ open, file }) => {
    const store = await open();
    await insert(store, 0, 1);
    for (const end of ['', '-wal', '-shm']) assert.equal(statSync(`${file}${end}`).mode & 0o777, 0o600);
  }),
);

test(
  'checkpoints limit the size of the log during continuous writes',
  withTempStore(async ({ open }) => {
    const store = await open({ checkpointPages: 20, batchOperations: 5 });
    for (let n = 0; n < 20; n += 1) await insert(store, n * 100, n * 100 + 50);
    const { walBytes, fsyncs, transactions } = store.status().metrics;
    assert.ok(walBytes < 60 * 4120, `${walBytes} bytes of log`);
    assert.ok(fsyncs > transactions, 'the fsyncs of checkpoints are not counted');
  }),
);

test(
  'the store counts writes and reports the cost per write',
  withTempStore(async ({ open }) => {
    const store = await open();
    for (let id = 0; id < 5; id += 1) await insert(store, id, id + 1);
    await store.write('test.insertThenReject', { id: 9, text: '' }).catch(() => {});
    const { metrics } = store.status();
    assert.equal(metrics.operations, 6); // Creating the table counts as an operation.
    assert.equal(metrics.failedOperations, 1);
    assert.ok(metrics.fsyncsPerWrite >= 1 && metrics.fsyncsPerWrite < 2);
    assert.ok(metrics.bytesPerWrite >= 4096);
    assert.ok(metrics.freeBytes > 0 && metrics.lastCommitMs > 0);
  }),
);

test(
  'startup fails and reports the reason if the data directory cannot be created',
  withTempStore(async ({ dir }) => {
    writeFileSync(join(dir, 'file'), '');
    const below = startDatabase(join(dir, 'file', 'below'), STORE_LIMITS, false);
    await assert.rejects(
      below,
      hasErrorCode('STORE_FAILED', /cannot be opened: part of the path is not a directory/),
    );
    mkdirSync(join(dir, 'cartwright.db'));
    await assert.rejects(
      startDatabase(dir, STORE_LIMITS, false),
      hasErrorCode('STORE_FAILED', /cannot be opened: /),
    );
  }),
);

test.run();

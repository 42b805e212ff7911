import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { test } from 'uvu';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { WriteOperations } from '../../../../src/shared/ports/database.js';
import { openPlain } from '../../../../src/store/connection.js';
import { Batches } from '../../../../src/store/writer/batch.js';
import { closedGate, count, hasErrorCode, insert, withTempStore } from '../temp-store.js';

test(
  '500 writes from 25 concurrent callers require at most 60 transactions',
  withTempStore(async ({ open }) => {
    const store = await open();
    const before = store.status().metrics;
    const callers = Array.from({ length: 25 }, async (_, caller) => {
      for (let n = 0; n < 20; n += 1) await store.write('test.insert', { id: caller * 100 + n, text: 'x' });
    });
    await Promise.all(callers);
    const { metrics } = store.status();
    assert.equal(count(store), 500);
    assert.equal(metrics.operations - before.operations, 500);
    assert.ok(metrics.transactions - before.transactions <= 60, `${metrics.transactions} transactions`);
    assert.ok(metrics.fsyncsPerWrite < 0.2 && metrics.fsyncsPerWrite > 0);
    assert.ok(metrics.bytesPerWrite > 0);
  }),
);

test(
  'writes that arrive during a commit form one batch',
  withTempStore(async ({ open }) => {
    const store = await open();
    const { gate, held: untilHeld, open: release } = closedGate();
    const held = store.write('test.hold', gate);
    await untilHeld();
    const writes = insert(store, 0, 200);
    const before = store.status().metrics.transactions;
    release();
    await Promise.all([held, writes]);
    assert.ok(store.status().metrics.transactions - before <= 2);
  }),
);

test(
  'a batch does not exceed the operation limit',
  withTempStore(async ({ open }) => {
    const store = await open({ batchOperations: 10 });
    const before = store.status().metrics.transactions;
    await insert(store, 0, 100);
    assert.equal(store.status().metrics.transactions - before, 10);
  }),
);

test(
  'a failing operation is rejected, changes nothing and does not affect other callers',
  withTempStore(async ({ open }) => {
    const store = await open();
    const results = await Promise.allSettled([
      store.write('test.insert', { id: 1, text: 'a' }),
      store.write('test.insertThenReject', { id: 2, text: 'b' }),
      store.write('test.insert', { id: 1, text: 'the same id' }),
      store.write('test.insert', { id: 3, text: 'c' }),
      store.write('test.unknown', {}),
      store.write('test.async', {}),
      store.write('test.insertThenReturnFunction', { id: 6, text: 'its result cannot be sent' }),
      store.write('test.insert', { id: 4, text: () => 'cannot be copied' }),
      store.write('test.insert', { id: 5, text: 'd' }),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status === 'fulfilled'),
      [true, false, false, true, false, false, false, false, true],
    );
    assert.deepEqual(
      store.read
        .prepare<{ id: number }>('SELECT id FROM rows')
        .all()
        .map(({ id }) => id),
      [1, 3, 5],
    );
    assert.equal(store.status().healthy, true);
  }),
);

test(
  "preserves a GatewayError's code, message and details, and a constraint error's code",
  withTempStore(async ({ open }) => {
    const store = await open();
    const rejected = store.write('test.insertThenReject', { id: 2, text: 'b' });
    await assert.rejects(rejected, (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.equal(error.code, 'NOT_FOUND');
      assert.equal(error.message, 'there is no such item');
      assert.deepEqual(error.info, { field: 'id', limit: 3, unit: 'items' });
      return true;
    });
    await insert(store, 1, 2);
    await assert.rejects(insert(store, 1, 2), hasErrorCode('SQLITE_CONSTRAINT_PRIMARYKEY'));
  }),
);

test(
  'rejects a batch when an operation ends the shared transaction, and commits the next batch',
  withTempStore(async ({ open }) => {
    const store = await open();
    const results = await Promise.allSettled([insert(store, 1, 2), store.write('test.rollBack', {})]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(count(store), 0);
    await insert(store, 1, 2);
    assert.deepEqual([count(store), store.status().healthy], [1, true]);
  }),
);

test(
  'does not claim that nothing was saved if a step after the commit fails',
  withTempStore(async ({ open, sql }) => {
    const store = await open();
    const announced: unknown[] = [];
    store.onCommit(({ outcome, writes }) => announced.push([outcome, writes.length]));
    const unknown = hasErrorCode('STORE_FAILED', /^it is not known whether the data was saved/);
    // Without this table, the journal of revocations, which reads the table after the commit, fails.
    const dropped = store.write('test.sql', { sql: 'DROP TABLE revocations' });
    await Promise.all([assert.rejects(dropped, unknown), assert.rejects(insert(store, 1, 2), unknown)]);
    assert.deepEqual(announced, [['unknown', 2]]);
    assert.match(textOf(store.status().reason), /^it is not known/);
    assert.deepEqual(sql('SELECT id FROM rows'), [{ id: 1 }]);
  }),
);

for (const [what, thrown] of [
  ['a full disk', Object.assign(new Error('full'), { code: 'SQLITE_FULL' })],
  ['an error without a code', new Error('broken')],
] as const) {
  test(
    `does not claim that nothing was saved if a step after the commit reports ${what}`,
    withTempStore(async ({ open, file, dir }) => {
      await (await open()).close();
      const db = openPlain(file, 5000);
      const operations: WriteOperations = {
        add: ({ prepare }) => prepare("INSERT INTO rows VALUES (1, 'a')").run().changes,
      };
      const onCommitted = (): void => {
        throw thrown;
      };
      const batches = new Batches(db, dir, operations, { beforeCommit: () => {}, onCommitted });
      const { fault, outcomes } = batches.run([{ id: 1, name: 'add', args: {} }]);
      assert.equal(fault?.code, 'STORE_FAILED');
      assert.match(fault.message, /^it is not known whether the data was saved: /);
      assert.ok('error' in (outcomes[0] ?? {}));
      assert.deepEqual(db.prepare('SELECT id FROM rows').all(), [{ id: 1 }]);
      db.close();
    }),
  );
}

test(
  'the writer runs operations in call order, even across batches',
  withTempStore(async ({ open }) => {
    const store = await open({ batchOperations: 7 });
    const order: unknown[] = [];
    store.onCommit(({ writes }) => order.push(...writes.map(({ args }) => args)));
    const calls = [];
    for (let id = 0; id < 100; id += 1) {
      calls.push(store.write('test.insert', { id, text: 'x' }));
      if (id % 30 === 0) await new Promise(setImmediate);
    }
    await Promise.all(calls);
    assert.deepEqual(
      order.map((args) => (args as { id: number }).id),
      Array.from({ length: 100 }, (_, id) => id),
    );
  }),
);

test(
  'announces the commit of successful writes before their promises resolve',
  withTempStore(async ({ open }) => {
    const store = await open();
    const events: string[] = [];
    store.onCommit(({ outcome, names, writes }) => {
      events.push(`${outcome} ${names.join()} ${writes.length} ${String(writes[0]?.result)} ${count(store)}`);
    });
    const good = store.write('test.insert', { id: 1, text: 'a' }).then(() => events.push('resolved'));
    const bad = store
      .write('test.insertThenReject', { id: 2, text: 'b' })
      .catch(() => events.push('rejected'));
    await Promise.all([good, bad]);
    assert.deepEqual(events, ['saved test.insert 1 1 1', 'resolved', 'rejected']);
  }),
);

for (const [what, name, args, status] of [
  ['resolves a saved write', 'test.insert', { id: 1, text: 'a' }, 'fulfilled'],
  ['rejects a failed write', 'test.exit', {}, 'rejected'],
] as const) {
  test(
    `${what} even if a commit listener throws`,
    withTempStore(async ({ open }) => {
      const store = await open();
      const thrown = once(process, 'uncaughtException');
      store.onCommit(() => {
        throw new Error('listener');
      });
      let settled = 'pending';
      void Promise.allSettled([store.write(name, args)]).then(([result]) => {
        settled = result.status;
      });
      assert.match(String((await thrown)[0]), /listener/);
      await new Promise(setImmediate);
      assert.equal(settled, status);
    }),
  );
}

test(
  'a resolved write is visible to the next read, and remains visible after the database is reopened',
  withTempStore(async ({ open }) => {
    const store = await open();
    await insert(store, 7, 8);
    assert.deepEqual(
      [...store.read.prepare<{ text: string }>('SELECT text FROM rows WHERE id = @id').iterate({ id: 7 })],
      [{ text: 'row 7' }],
    );
    await store.close();
    await assert.rejects(store.write('test.insert', { id: 8, text: '' }), hasErrorCode('STOPPING'));
    assert.equal(count(await open()), 1);
  }),
);

test(
  'closing the store commits pending writes and removes the log',
  withTempStore(async ({ open, sql, dir }) => {
    const store = await open();
    const writes = insert(store, 0, 50);
    await Promise.all([store.close(), writes]);
    assert.deepEqual(readdirSync(dir), ['cartwright.db', 'commit-number', 'reserve']);
    assert.deepEqual(sql('SELECT count(*) AS n FROM rows'), [{ n: 50 }]);
  }),
);

test.run();

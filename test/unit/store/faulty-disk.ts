import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { test } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { closedGate, count, hasErrorCode, insert, withTempStore } from './temp-store.js';

/** Run by disk-faults.test.ts with the shim loaded: the disk breaks and heals in the middle of everything. */
const faultFile = process.env.DISK_FAULT_FILE ?? '';
const { EROFS, EIO, ENOSPC } = constants.errno;

interface Case {
  name: string;
  fault: string;
  code: string;
  text: RegExp;
  /** Why not even a latch could be written. */
  unwritable?: string;
}

const CASES: readonly Case[] = [
  {
    name: 'a read-only file system',
    fault: `write ${EROFS}`,
    code: 'STORE_FAILED',
    text: /nothing was saved: the file system is read-only/,
    unwritable: 'the file system is read-only',
  },
  { name: 'a fault of the disk', fault: `write ${EIO}`, code: 'STORE_FAILED', text: /SQLITE_IOERR_WRITE/ },
  { name: 'a full disk', fault: `write ${ENOSPC}`, code: 'STORE_FULL', text: /the disk is full/ },
  { name: 'an fsync that fails', fault: `fsync ${EIO}`, code: 'STORE_FAILED', text: /not known whether/ },
];

for (const { name, fault, code, text, unwritable = '' } of CASES) {
  test(
    `${name} fails every caller of the batch, is told in the status, and is over when it is over`,
    withTempStore(async ({ open, sql, clock, log }) => {
      const store = await open();
      await insert(store, 0, 10);
      const { gate, held, open: go } = closedGate();
      const hold = store.write('test.hold', gate);
      await held();
      writeFileSync(faultFile, fault);
      const unsure: unknown[] = [];
      const deaf = store.onCommit(({ outcome, writes }) => unsure.push([outcome, writes.length]));
      const batch = [20, 21, 22].map((id) =>
        assert.rejects(store.write('test.insert', { id, text: 'x' }), hasErrorCode(code, text)),
      );
      go();
      await Promise.all([hold.catch(() => {}), ...batch]);
      deaf();
      if (code === 'STORE_FAILED') assert.deepEqual(unsure.at(-1), ['unknown', 3]);
      assert.equal(store.status().healthy, false);
      assert.match(textOf(store.status().reason), text);
      assert.equal(textOf(store.unwritable), unwritable);
      assert.equal(count(store), 10, 'nothing of it is seen');

      clock.advance(2000);
      assert.equal(store.status().healthy, false);
      rmSync(faultFile);
      const recovered = log.next('store.recovered');
      clock.advance(2000);
      await recovered;
      const { healthy, reason } = store.status();
      assert.deepEqual([healthy, textOf(reason), textOf(store.unwritable)], [true, '', '']);
      await insert(store, 30, 40);
      assert.equal(count(store), 20);
      await store.close();
      assert.deepEqual(sql('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    }),
  );
}

test(
  'a log that cannot be brought into the database is told, and writes are kept in it meanwhile',
  withTempStore(async ({ open, sql, clock, log }) => {
    const store = await open({ checkpointPages: 20 });
    writeFileSync(faultFile, `database ${EIO}`);
    for (let id = 0; id < 30; id += 1) await insert(store, id, id + 1);
    assert.match(
      textOf(store.status().reason),
      /^the log cannot be brought into the database: .*SQLITE_IOERR/,
    );
    assert.equal(count(store), 30);
    rmSync(faultFile);
    const recovered = log.next('store.recovered');
    clock.advance(2000);
    await recovered;
    await store.close();
    assert.deepEqual(sql('SELECT count(*) AS n FROM rows'), [{ n: 30 }]);
  }),
);

test.run();

import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { test } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { isQuotaExceeded } from '../../../src/store/disk-errors.js';
import { storePaths } from '../../../src/store/paths.js';
import { openStore } from '../../../src/store/store.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { until } from '../../helpers/until.js';
import { crashImage, FRAME_BYTES, flipByte } from './recovery/crash-image.js';
import {
  closedGate,
  count,
  hasErrorCode,
  insert,
  type TempStore,
  WRITER,
  withTempStore,
} from './temp-store.js';

/** disk-faults.test.ts runs this program with a shim that injects disk errors. */
const faultFile = process.env.DISK_FAULT_FILE ?? '';
const { EDQUOT, EROFS, EIO, ENOSPC } = constants.errno;

interface Case {
  name: string;
  fault: string;
  code: string;
  text: RegExp;
  /** The reason why even an E-stop latch cannot be saved; undefined if a latch can be saved. */
  unwritableReason?: string;
}

const CASES: readonly Case[] = [
  {
    name: 'a read-only file system',
    fault: `write ${EROFS}`,
    code: 'STORE_FAILED',
    text: /nothing was saved: the file system is read-only/,
    unwritableReason: 'the file system is read-only',
  },
  { name: 'an I/O error', fault: `write ${EIO}`, code: 'STORE_FAILED', text: /SQLITE_IOERR_WRITE/ },
  { name: 'a full disk', fault: `write ${ENOSPC}`, code: 'STORE_FULL', text: /the disk is full/ },
  { name: 'a failed fsync', fault: `fsync ${EIO}`, code: 'STORE_FAILED', text: /not known whether/ },
];

for (const { name, fault, code, text, unwritableReason = '' } of CASES) {
  test(
    `${name} causes all writes of the batch to be rejected, and is reported in the status until the store recovers`,
    withTempStore(async ({ open, sql, clock, log }) => {
      const store = await open();
      await insert(store, 0, 10);
      const { gate, held, open: release } = closedGate();
      const hold = store.write('test.hold', gate);
      await held();
      writeFileSync(faultFile, fault);
      const uncertain: unknown[] = [];
      const cancel = store.onCommit(({ outcome, writes }) => uncertain.push([outcome, writes.length]));
      const batch = [20, 21, 22].map((id) =>
        assert.rejects(store.write('test.insert', { id, text: 'x' }), hasErrorCode(code, text)),
      );
      release();
      await Promise.all([hold.catch(() => {}), ...batch]);
      cancel();
      if (code === 'STORE_FAILED') assert.deepEqual(uncertain.at(-1), ['unknown', 3]);
      assert.equal(store.status().healthy, false);
      assert.match(textOf(store.status().reason), text);
      assert.equal(textOf(store.unwritableReason), unwritableReason);
      assert.equal(count(store), 10, 'rows of the failed batch are visible');

      clock.advance(2000);
      assert.equal(store.status().healthy, false);
      rmSync(faultFile);
      const recovered = log.next('store.recovered');
      clock.advance(2000);
      await recovered;
      const { healthy, reason } = store.status();
      assert.deepEqual([healthy, textOf(reason), textOf(store.unwritableReason)], [true, '', '']);
      await insert(store, 30, 40);
      assert.equal(count(store), 20);
      await store.close();
      assert.deepEqual(sql('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    }),
  );
}

/** Returns a store that has saved ten rows, failed to commit three more and recovered. */
async function storeAfterFailedCommit({ open, clock, log }: TempStore, fault: string): Promise<Store> {
  const store = await open();
  await insert(store, 0, 10);
  writeFileSync(faultFile, fault);
  await assert.rejects(insert(store, 20, 23), hasErrorCode('STORE_FAILED'));
  rmSync(faultFile);
  const recovered = log.next('store.recovered');
  clock.advance(2000);
  await recovered;
  return store;
}

/** Opens a copy of the data directory, as after a kill, and returns the number of lost writes. */
async function lostAfterKill(
  { dir, clock }: TempStore,
  damage: (wal: string) => void = () => {},
): Promise<number | undefined> {
  const copy = crashImage(dir);
  try {
    damage(storePaths(copy).wal);
    const store = await openStore({ dir: copy, writer: WRITER, clock, log: new RecordingLog() });
    const lost = store.status().lostWrites?.count;
    await store.close();
    return lost;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

for (const fault of [`write ${EIO}`, `fsync ${EIO}`]) {
  test(
    `does not report lost writes at the next start after a commit failed (${fault})`,
    withTempStore(async (temp) => {
      const store = await storeAfterFailedCommit(temp, fault);
      assert.equal(await lostAfterKill(temp), undefined, 'after a kill');
      await store.close();
      assert.equal((await temp.open()).status().lostWrites, undefined, 'after a shutdown');
    }),
  );

  test(
    `reports a write that was acknowledged after a failed commit and then lost (${fault})`,
    withTempStore(async (temp) => {
      const store = await storeAfterFailedCommit(temp, fault);
      await insert(store, 30, 31);
      const lost = await lostAfterKill(temp, (wal) => flipByte(wal, 100 - FRAME_BYTES));
      assert.equal(lost, 1);
    }),
  );
}

test(
  'counts writes after a failed commit and a restart of the writer thread',
  withTempStore(async (temp) => {
    const store = await storeAfterFailedCommit(temp, `write ${EIO}`);
    await assert.rejects(store.write('test.exit', {}), hasErrorCode('STORE_FAILED'));
    temp.clock.advance(2000);
    await until(() => store.status().healthy);
    await insert(store, 30, 31);
    const lost = await lostAfterKill(temp, (wal) => flipByte(wal, 100 - FRAME_BYTES));
    assert.equal(lost, 1);
  }),
);

test(
  'reports a failed checkpoint and keeps the writes in the log',
  withTempStore(async ({ open, sql, clock, log }) => {
    const store = await open({ checkpointPages: 20 });
    writeFileSync(faultFile, `database ${EIO}`);
    for (let id = 0; id < 30; id += 1) await insert(store, id, id + 1);
    assert.match(
      textOf(store.status().reason),
      /^the write-ahead log cannot be copied into the database: .*SQLITE_IOERR/,
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

test(
  'recognises an exceeded quota, which SQLite reports as an I/O error',
  withTempStore(async ({ dir }) => {
    const results = [EDQUOT, EIO, ENOSPC].map((fault) => {
      writeFileSync(faultFile, `write ${fault}`);
      return isQuotaExceeded(dir);
    });
    rmSync(faultFile);
    assert.deepEqual([...results, isQuotaExceeded(dir)], [true, false, false, false]);
    assert.deepEqual(readdirSync(dir), []);
  }),
);

test.run();

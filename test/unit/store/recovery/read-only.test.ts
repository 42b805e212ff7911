import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import { openPlain } from '../../../../src/store/connection.js';
import { isReadOnly, ON_READ_ONLY } from '../../../../src/store/disk-errors.js';
import { STORE_LIMITS } from '../../../../src/store/limits.js';
import { MIGRATIONS } from '../../../../src/store/migrations/index.js';
import { startDatabase } from '../../../../src/store/recovery/open-database.js';
import { openReadOnlyStore } from '../../../../src/store/recovery/read-only.js';
import { Batches } from '../../../../src/store/writer/batch.js';
import { until } from '../../../helpers/until.js';
import { canMount, withDisk } from '../small-disk.js';
import { count, createBackup, hasErrorCode, insert, type TempStore, withTempStore } from '../temp-store.js';

const withMount = canMount() ? test : test.skip;
if (!canMount()) process.stdout.write('skipped: only root can mount a read-only file system\n');

const CARD = { limits: STORE_LIMITS, cause: ON_READ_ONLY };

/**
 * Returns the directory for database copies. The directory must be empty while the store is open, because the
 * copy is unlinked.
 */
function scratchOf({ dir }: TempStore): string {
  const scratch = join(dir, 'scratch');
  mkdirSync(scratch, { recursive: true });
  return scratch;
}

/** Opens the data directory as the gateway does on a read-only disk. */
function openCopy(temp: TempStore): Store {
  const scratch = scratchOf(temp);
  const { dir, log } = temp;
  const store = openReadOnlyStore({ ...CARD, dir, log, env: { RUNTIME_DIRECTORY: scratch } });
  assert.deepEqual(readdirSync(scratch), []);
  return store;
}

/** Overwrites all database pages except the first. */
function damage(path: string): void {
  writeFileSync(path, readFileSync(path).fill(0xa5, 4096));
}

test(
  'reads all committed data, including data in the log, and rejects writes',
  withTempStore(async (temp) => {
    await insert(await temp.open(), 0, 5);
    assert.ok(statSync(`${temp.file}-wal`).size > 0);
    const store = openCopy(temp);
    assert.equal(count(store), 5);
    await assert.rejects(
      insert(store, 5, 6),
      hasErrorCode('STORE_FAILED', /^nothing was saved: .* read-only$/),
    );
    await assert.rejects(store.backup(), hasErrorCode('STORE_FAILED', /read-only/));
    const { healthy, readOnly, reason, writerSilentMs, metrics } = store.status();
    assert.deepEqual([healthy, readOnly, writerSilentMs, metrics.refusedOperations], [false, true, 0, 1]);
    assert.match(textOf(reason), /read-only/);
    assert.ok(metrics.freeBytes > 0, 'a full disk must cause an alarm');
    await store.close();
    await assert.rejects(store.write('test.insert', {}), hasErrorCode('STOPPING'));
  }),
);

test(
  'opening a read-only store does not change the database file',
  withTempStore(async (temp) => {
    await createBackup(temp);
    const before = readFileSync(temp.file);
    const store = openCopy(temp);
    await store.close();
    assert.deepEqual(readFileSync(temp.file), before);
  }),
);

test(
  'reads the latest usable backup instead of a damaged database, and reports the backup',
  withTempStore(async (temp) => {
    const backup = await createBackup(temp);
    damage(temp.file);
    const store = openCopy(temp);
    const { restoredFrom, notices, lastBackup } = store.status();
    assert.deepEqual([count(store), restoredFrom, lastBackup?.path], [10, backup, backup]);
    assert.match(notices.join(), /^cartwright\.db was skipped: .+\.$/);
    await store.close();
  }),
);

test(
  'fails to open if no database is usable, the database cannot be copied or the schema is too new',
  withTempStore(async (temp) => {
    const unusable = hasErrorCode('STORE_FAILED', /read-only, and there is no usable backup: .*not exist/);
    assert.throws(() => openCopy(temp), unusable);
    await createBackup(temp);
    const { dir, log } = temp;
    const env = { RUNTIME_DIRECTORY: join(dir, 'no such directory') };
    const uncopied = hasErrorCode('STORE_FAILED', /read-only, and it cannot be copied: /);
    assert.throws(() => openReadOnlyStore({ ...CARD, dir, log, env }), uncopied);
    temp.sql('PRAGMA user_version = 99');
    assert.throws(() => openCopy(temp), hasErrorCode('STORE_NEWER'));
    assert.deepEqual(readdirSync(scratchOf(temp)), []);
  }),
);

test(
  'migrates the copy of an older database, but not the original',
  withTempStore(async (temp) => {
    const { db } = await startDatabase(temp.dir, STORE_LIMITS, false, {
      migrations: MIGRATIONS.slice(0, 1),
    });
    db.close();
    const store = openCopy(temp);
    assert.deepEqual(store.read.prepare('SELECT count(*) AS n FROM orders').get(), { n: 0 });
    assert.equal(store.status().schemaVersion, MIGRATIONS.length);
    await store.close();
    assert.deepEqual(temp.sql('PRAGMA user_version'), [{ user_version: 1 }]);
  }),
);

withMount('opens read-only on a read-only file system, and writable after it was remounted', () =>
  withDisk(8192, (mount) =>
    withTempStore(async ({ dir, open, log }) => {
      const first = await open({ minFreeBytes: 0 });
      await insert(first, 0, 5);
      await first.close();
      assert.equal(isReadOnly(dir), false);
      const names = readdirSync(dir);
      assert.equal(spawnSync('mount', ['-o', 'remount,ro', mount]).status, 0);
      try {
        assert.equal(isReadOnly(dir), true);
        const store = await open({ minFreeBytes: 0 });
        assert.deepEqual([store.status().readOnly, count(store)], [true, 5]);
        assert.ok(log.events().includes('store.opened_read_only'));
        await assert.rejects(insert(store, 5, 6), hasErrorCode('STORE_FAILED', /read-only/));
        await store.close();
      } finally {
        assert.equal(spawnSync('mount', ['-o', 'remount,rw', mount]).status, 0);
      }
      assert.deepEqual(readdirSync(dir), names);
      const again = await open({ minFreeBytes: 0 });
      await insert(again, 5, 6);
      assert.deepEqual([again.status().readOnly, count(again)], [false, 6]);
    }, mount)(),
  ),
);

withMount(
  'detects within a second that the file system became read-only or writable, without any write',
  withTempStore(async ({ open, clock, dir }) => {
    const store = await open();
    // A file system with files open for writing cannot be remounted read-only, so a read-only file system is
    // mounted over it.
    assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', dir]).status, 0);
    try {
      clock.advance(1000);
      await until(() => store.status().readOnly);
      assert.match(textOf(store.status().reason), /^nothing was saved: .* read-only$/);
    } finally {
      spawnSync('umount', [dir]);
    }
    clock.advance(2000);
    await until(() => !store.status().readOnly);
    await insert(store, 0, 5);
    assert.deepEqual([store.status().healthy, count(store)], [true, 5]);
  }),
);

withMount(
  'does not acknowledge a commit after the file system was remounted read-only, even if fsync succeeds',
  withTempStore(async ({ open, dir, file }) => {
    await (await open()).close();
    const db = openPlain(file, 1000);
    const operations = { 'test.nothing': () => 1 };
    const work = [{ id: 1, name: 'test.nothing', args: {} }];
    const readOnlyDir = join(dir, 'read-only');
    mkdirSync(readOnlyDir);
    assert.deepEqual(new Batches(db, dir, operations).run(work), { outcomes: [{ id: 1, result: 1 }] });
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', readOnlyDir]);
    try {
      const { fault, outcomes } = new Batches(db, readOnlyDir, operations).run(work);
      assert.match(String(fault?.message), /^it is not known whether the data was saved: .* read-only$/);
      assert.ok(outcomes[0] && 'error' in outcomes[0]);
    } finally {
      spawnSync('umount', [readOnlyDir]);
      db.close();
    }
  }),
);

test.run();

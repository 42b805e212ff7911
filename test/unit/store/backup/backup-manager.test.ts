import assert from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { BackupManager } from '../../../../src/shared/ports/backups.js';
import { openBackupManager } from '../../../../src/store/backup/backup-manager.js';
import { MIGRATIONS } from '../../../../src/store/migrations/index.js';
import { count, hasErrorCode, insert, type TempStore, withTempStore } from '../temp-store.js';

/** Returns an open store with a backup of 10 rows, and 5 more rows added after the backup. */
async function prepare({ dir, clock, log, open }: TempStore) {
  const backups: BackupManager = openBackupManager({ dir, clock, log });
  const store = await open();
  await insert(store, 0, 10);
  const { path } = await store.backup();
  await insert(store, 10, 15);
  return { backups, store, path, name: basename(path) };
}
const asideIn = (dir: string): string[] =>
  readdirSync(dir).filter((name) => /^cartwright\.db\.replaced-\w+$/.test(name));

test(
  'checking an intact backup reports no damage and returns the saved and current row counts',
  withTempStore(async (temp) => {
    const { backups, name } = await prepare(temp);
    const [entry] = backups.list();
    assert.equal(entry?.name, name);
    const { damage, tables } = await backups.check(name);
    assert.equal(damage, '');
    assert.deepEqual(
      tables.find(({ table }) => table === 'rows'),
      { table: 'rows', kept: 10, now: 15 },
    );
  }),
);

test(
  'refuses to select a damaged backup for a restore',
  withTempStore(async (temp) => {
    const { backups, name, path } = await prepare(temp);
    truncateSync(path, 5000);
    assert.notEqual((await backups.check(name)).damage, '');
    await assert.rejects(
      backups.choose(name, userActor('anna')),
      hasErrorCode('STORE_FAILED', /damaged and cannot be restored/),
    );
    assert.equal(backups.chosen(), undefined);
  }),
);

test(
  'keeps the chosen backup when newer backups replace the others',
  withTempStore(async ({ dir, clock, log, open }) => {
    const backups = openBackupManager({ dir, clock, log });
    const store = await open({ keepBackups: 2 });
    const made: string[] = [];
    const makeBackup = async () => made.push(basename((await store.backup()).path));
    await makeBackup();
    await backups.choose(made[0] ?? '', userActor('anna'));
    for (let n = 0; n < 3; n += 1) await makeBackup();
    const names = () => backups.list().map(({ name }) => name);
    assert.deepEqual(names(), [made[3], made[2], made[0]]);
    await backups.cancel();
    await makeBackup();
    assert.deepEqual(names(), [made[4], made[3]]);
  }),
);

test(
  'copies the database while it is in use, and counts the rows of the copy',
  withTempStore(async (temp) => {
    const { backups, store } = await prepare(temp);
    const path = join(temp.dir, 'copy.db');
    const writing = insert(store, 15, 200);
    const { schemaVersion, tables } = await backups.snapshot(path);
    await writing;
    assert.equal(schemaVersion, MIGRATIONS.length);
    assert.ok((tables.rows ?? 0) >= 15 && (tables.rows ?? 0) <= 200);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    // Without a write-ahead log, the file is complete by itself.
    assert.deepEqual(
      readdirSync(temp.dir).filter((name) => name.startsWith('copy')),
      ['copy.db'],
    );
    await assert.rejects(backups.snapshot(path), hasErrorCode('STORE_FAILED', /EEXIST/));
  }),
);

test(
  'rejects unknown backup names and path traversal',
  withTempStore(async (temp) => {
    const { backups } = await prepare(temp);
    for (const name of ['nothing.db', '../cartwright.db', '']) {
      assert.throws(() => backups.pathOf(name), hasErrorCode('NOT_FOUND'));
      await assert.rejects(async () => backups.choose(name, userActor('anna')), hasErrorCode('NOT_FOUND'));
    }
  }),
);

test(
  'restores the chosen backup after a restart, keeps the previous database and reports both files',
  withTempStore(async (temp) => {
    const { dir, open } = temp;
    const { backups, store, name, path } = await prepare(temp);
    assert.equal((await backups.choose(name, userActor('anna'))).by.id, 'anna');
    assert.equal(count(store), 15);
    await store.close();
    const next = await open();
    assert.equal(count(next), 10);
    const { restoredFrom, information, healthy } = next.status();
    assert.deepEqual([restoredFrom, healthy], [path, true]);
    const [aside = ''] = asideIn(dir);
    assert.ok(
      textOf(information[0] ?? '').includes(
        `as requested by anna. The previous database was kept as ${aside}.`,
      ),
      textOf(information[0] ?? ''),
    );
    await next.close();
    writeFileSync(temp.file, readFileSync(join(dir, aside)));
    assert.deepEqual(temp.sql('SELECT count(*) AS n FROM rows'), [{ n: 15 }]);
  }),
);

test(
  'restores a chosen backup only once',
  withTempStore(async (temp) => {
    const { backups, store, name } = await prepare(temp);
    await backups.choose(name, userActor('anna'));
    await store.close();
    const second = await temp.open();
    await insert(second, 100, 103);
    await second.close();
    assert.equal(count(await temp.open()), 13);
    assert.equal(backups.chosen(), undefined);
  }),
);

test(
  'deselecting the chosen backup changes nothing',
  withTempStore(async (temp) => {
    const { backups, store, name } = await prepare(temp);
    await backups.choose(name, userActor('anna'));
    await backups.cancel();
    await store.close();
    assert.equal(count(await temp.open()), 15);
  }),
);

test(
  'does not restore a backup that was damaged after it was selected, and reports the damage',
  withTempStore(async (temp) => {
    const { backups, store, name, path } = await prepare(temp);
    await backups.choose(name, userActor('anna'));
    await store.close();
    truncateSync(path, 5000);
    const next = await temp.open();
    assert.equal(count(next), 15);
    assert.match(textOf(next.status().notices[0] ?? ''), /was not restored: .* Nothing was changed\./);
    assert.equal(existsSync(join(temp.dir, 'restore.json')), false);
  }),
);

test(
  'resumes a restore that was interrupted after the database was renamed',
  withTempStore(async (temp) => {
    const { backups, store, name } = await prepare(temp);
    await backups.choose(name, userActor('anna'));
    await store.close();
    // Simulates a power cut between the two renames of a restore.
    const bytes = readFileSync(temp.file);
    writeFileSync(`${temp.file}.replaced-20260101T000000Z`, bytes);
    rmSync(temp.file);
    assert.equal(count(await temp.open()), 10);
  }),
);

test.run();

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { BackupCheck, BackupManager, UploadProgress } from '../../../../src/shared/ports/backups.js';
import { openBackupManager } from '../../../../src/store/backup/backup-manager.js';
import { storePaths } from '../../../../src/store/paths.js';
import { readRevocations, rewriteRevocations } from '../../../../src/store/recovery/revocation-file.js';
import { recordRestore } from '../../../../src/store/recovery/revocations.js';
import { count, createBackup, hasErrorCode, insert, type TempStore, withTempStore } from '../temp-store.js';

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

/** Uploads a file in parts of `partBytes`. */
async function upload(backups: BackupManager, bytes: Buffer, partBytes = bytes.length): Promise<BackupCheck> {
  let stored: UploadProgress | BackupCheck | undefined;
  for (let first = 0; first < bytes.length; first += partBytes) {
    const part = bytes.subarray(first, first + partBytes);
    const range = { first, last: first + part.length - 1, total: bytes.length };
    stored = await backups.upload(range, chunksOf(part));
  }
  if (stored && 'damage' in stored) return stored;
  throw new Error('the last part was not the end of the file');
}

const backupsOf = ({ dir, clock, log }: TempStore, limits = {}): BackupManager =>
  openBackupManager({ dir, clock, log, limits });
const filesIn = ({ dir }: TempStore): string[] => {
  const { uploads } = storePaths(dir);
  return existsSync(uploads) ? readdirSync(uploads) : [];
};

/** Returns the content of a copy of the backup, changed with SQL. */
function changed(temp: TempStore, backup: string, sql: string): Buffer {
  const copy = join(temp.dir, 'changed.db');
  copyFileSync(backup, copy);
  const db = new BetterSqlite(copy);
  db.exec(sql);
  db.close();
  return readFileSync(copy);
}

test(
  "restores an uploaded backup in the same way as one of the gateway's own backups",
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const backups = backupsOf(temp);
    const store = await temp.open();
    const checked = await upload(backups, bytes, 4096);
    assert.deepEqual([checked.damage, checked.bytes], ['', bytes.length]);
    assert.deepEqual(
      checked.tables.find(({ table }) => table === 'rows'),
      { table: 'rows', kept: 10, now: 15 },
    );
    await backups.choose(checked.name, userActor('anna'));
    await store.close();
    const next = await temp.open();
    assert.deepEqual([count(next), next.status().restored?.name], [10, checked.name]);
  }),
);

test(
  'an upload counts neither as the newest backup nor towards the number of backups to keep',
  withTempStore(async (temp) => {
    const path = await createBackup(temp);
    const backups = backupsOf(temp);
    const store = await temp.open({ keepBackups: 2 });
    const { name } = await upload(backups, readFileSync(path));
    assert.deepEqual(
      backups.list().map((backup) => backup.name),
      [basename(path)],
    );
    const second = await store.backup();
    assert.match(basename(second.path), /^cartwright-000002-/);
    assert.deepEqual([backups.list().length, backups.uploads().map((one) => one.name)], [2, [name]]);
    assert.equal(store.status().lastBackup?.path, second.path);
    await store.close();
    // A damaged database is replaced by the newest backup, which has 15 rows; the upload has 10.
    writeFileSync(temp.file, 'not a database, and longer than a database header '.repeat(20));
    assert.equal(count(await temp.open()), 15);
  }),
);

test(
  'a new upload replaces the earlier one, unless the earlier one is chosen for a restore',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const backups = backupsOf(temp);
    const first = await upload(backups, bytes);
    const second = await upload(backups, bytes);
    assert.deepEqual(filesIn(temp).sort(), [second.name, `${second.name}.sha256`]);
    assert.notEqual(first.name, second.name);
    await backups.choose(second.name, userActor('anna'));
    const third = await upload(backups, bytes);
    const fourth = await upload(backups, bytes);
    assert.deepEqual(
      backups.uploads().map(({ name }) => name),
      [fourth.name, second.name],
    );
    assert.ok(!filesIn(temp).includes(third.name));
  }),
);

const HEADER = 100;
const WRONG: [what: string, code: string, content: (temp: TempStore, backup: string) => Buffer][] = [
  ['text', 'BACKUP_FOREIGN', () => Buffer.from('not a database '.repeat(100))],
  ['a few bytes', 'BACKUP_FOREIGN', () => Buffer.from('SQLite format 3\0')],
  ['a truncated backup', 'BACKUP_DAMAGED', (_temp, backup) => readFileSync(backup).subarray(0, -4096)],
  ['the header of a backup', 'BACKUP_DAMAGED', (_temp, backup) => readFileSync(backup).subarray(0, HEADER)],
  [
    'a backup with damaged pages',
    'BACKUP_DAMAGED',
    (_temp, backup) => {
      const bytes = readFileSync(backup);
      return bytes.fill(0xa5, 4096);
    },
  ],
  ['a database that depends on its log', 'BACKUP_DAMAGED', ({ file }) => readFileSync(file)],
  [
    'a backup with a newer schema',
    'BACKUP_NEWER',
    (temp, backup) => changed(temp, backup, 'PRAGMA user_version = 1000'),
  ],
  [
    "another application's database",
    'BACKUP_FOREIGN',
    (temp, backup) =>
      changed(
        temp,
        backup,
        'PRAGMA foreign_keys = OFF; DROP TABLE orders; CREATE TABLE photos (id INTEGER PRIMARY KEY)',
      ),
  ],
  [
    "another application's database with a high version",
    'BACKUP_FOREIGN',
    () => {
      const db = new BetterSqlite(':memory:');
      db.exec('CREATE TABLE photos (id INTEGER PRIMARY KEY); PRAGMA user_version = 1000');
      return db.serialize();
    },
  ],
  [
    'a backup without one of its columns',
    'BACKUP_FOREIGN',
    (temp, backup) => changed(temp, backup, 'ALTER TABLE api_keys DROP COLUMN expires_at'),
  ],
  [
    'a backup with an additional trigger',
    'BACKUP_FOREIGN',
    (temp, backup) =>
      changed(temp, backup, 'CREATE TRIGGER x AFTER INSERT ON users BEGIN DELETE FROM users; END'),
  ],
];
for (const [what, code, content] of WRONG) {
  // Fault case 75
  test(
    `rejects ${what} with ${code} and does not store any of it`,
    withTempStore(async (temp) => {
      const backup = await createBackup(temp);
      const store = await temp.open();
      await insert(store, 20, 21);
      const backups = backupsOf(temp);
      await assert.rejects(upload(backups, content(temp, backup)), hasErrorCode(code));
      assert.deepEqual([filesIn(temp), backups.uploads()], [[], []]);
      // The next upload is not affected.
      assert.equal((await upload(backups, readFileSync(backup))).damage, '');
    }),
  );
}

test(
  'rejects a file that is too large, or for which there is too little space, before storing it',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const small = backupsOf(temp, { maxUploadBytes: bytes.length - 1 });
    await assert.rejects(upload(small, bytes, 4096), hasErrorCode('TOO_LARGE'));
    const full = backupsOf(temp, { minFreeBytes: Number.MAX_SAFE_INTEGER / 2 });
    await assert.rejects(upload(full, bytes, 4096), hasErrorCode('STORE_FULL'));
    assert.deepEqual(filesIn(temp), []);
  }),
);

test(
  'continues an upload after an interrupted part, and rejects parts that are out of order',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const backups = backupsOf(temp);
    const total = bytes.length;
    const send = (first: number, last: number, chunks = chunksOf(bytes.subarray(first, last + 1))) =>
      backups.upload({ first, last, total }, chunks);
    await assert.rejects(send(4096, 8191), hasErrorCode('CONFLICT'));
    assert.deepEqual(await send(0, 4095), { received: 4096, bytes: total });
    async function* interrupted(): AsyncGenerator<Buffer> {
      yield bytes.subarray(4096, 5000);
      throw new Error('aborted');
    }
    await assert.rejects(send(4096, 8191, interrupted()), /aborted/);
    await assert.rejects(
      send(4096, 8191, chunksOf(bytes.subarray(4096, 5000))),
      hasErrorCode('INVALID_INPUT'),
    );
    await assert.rejects(
      send(4096, 8191, chunksOf(bytes.subarray(4096, 9000))),
      hasErrorCode('INVALID_INPUT'),
    );
    await assert.rejects(send(8192, 9000), hasErrorCode('CONFLICT'));
    assert.equal('damage' in (await send(4096, total - 1)), true);
  }),
);

test(
  'stores one part of an upload at a time',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const backups = backupsOf(temp);
    const all = { first: 0, last: bytes.length - 1, total: bytes.length };
    const first = backups.upload(all, chunksOf(bytes));
    await assert.rejects(backups.upload(all, chunksOf(bytes)), hasErrorCode('BUSY'));
    await first;
    assert.equal(backups.uploads().length, 1);
  }),
);

test(
  'deletes an upload that receives no data for ten minutes',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const backups = backupsOf(temp);
    await backups.upload({ first: 0, last: 4095, total: bytes.length }, chunksOf(bytes.subarray(0, 4096)));
    assert.equal(filesIn(temp).length, 1);
    await temp.clock.advance(600_000);
    const rest = { first: 4096, last: bytes.length - 1, total: bytes.length };
    await assert.rejects(backups.upload(rest, chunksOf(bytes.subarray(4096))), hasErrorCode('CONFLICT'));
  }),
);

test(
  'closing deletes an unfinished upload',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const backups = backupsOf(temp);
    await backups.upload({ first: 0, last: 4095, total: bytes.length }, chunksOf(bytes.subarray(0, 4096)));
    await backups.close();
    assert.deepEqual(filesIn(temp), []);
  }),
);

test(
  'the next start deletes the files of an upload that a power cut interrupted',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const { uploads } = storePaths(temp.dir);
    mkdirSync(uploads);
    writeFileSync(join(uploads, 'uploaded-000001-20260101T000000Z.db.uploading'), bytes);
    assert.deepEqual(backupsOf(temp).uploads(), []);
    await temp.open();
    assert.deepEqual(filesIn(temp), []);
  }),
);

test(
  'does not restore an upload that changed after it was checked',
  withTempStore(async (temp) => {
    const bytes = readFileSync(await createBackup(temp));
    const backups = backupsOf(temp);
    const { name } = await upload(backups, bytes);
    await backups.choose(name, userActor('anna'));
    const at = bytes.lastIndexOf('row 7');
    bytes.write('row 8', at);
    writeFileSync(backups.pathOf(name), bytes);
    const store = await temp.open();
    assert.equal(count(store), 15);
    assert.match(textOf(store.status().notices[0] ?? ''), /was not restored: .*changed/);
  }),
);

test(
  'does not restore a backup with a newer schema than the gateway supports',
  withTempStore(async (temp) => {
    const backup = await createBackup(temp);
    const name = basename(backup).replace('000001', '000002');
    writeFileSync(
      join(storePaths(temp.dir).backups, name),
      changed(temp, backup, 'PRAGMA user_version = 1000'),
    );
    writeFileSync(storePaths(temp.dir).choice, JSON.stringify({ name, by: 'anna', at: 1 }));
    const store = await temp.open();
    assert.equal(count(store), 15);
    assert.match(textOf(store.status().notices[0] ?? ''), /was not restored: .*schema version 1000/);
  }),
);

const revocation = (subject: string, sequence: number, value = '1') => ({
  subject,
  what: 'disabled',
  value,
  sequence,
});

test(
  'a restore replays revocations that are missing from a backup with a different journal, and keeps those in the backup',
  withTempStore(async ({ dir }) => {
    const paths = storePaths(dir);
    const [eve, bob] = [revocation('user 1 100', 5), revocation('user 2 200', 7)];
    rewriteRevocations(paths.revocations, [eve, bob]);
    // The backup contains the same revocation for bob, but zoe's revocation has the number that eve's has in the
    // journal.
    const zoe = revocation('user 3 300', 5);
    recordRestore(paths, 'uploaded.db', [zoe, bob, revocation('user 4 400', 12)]);
    const { entries } = readRevocations(paths.revocations);
    assert.deepEqual(entries.slice(2), [
      zoe,
      revocation('user 4 400', 12),
      { ...eve, sequence: 13 },
      { subject: 'database', what: 'restored', value: 'uploaded.db', sequence: 14 },
    ]);
  }),
);

test(
  'a restore adds only its own entry to the journal that the backup belongs to',
  withTempStore(async ({ dir }) => {
    const paths = storePaths(dir);
    const [eve, bob] = [revocation('user 1 100', 5), revocation('user 2 200', 7)];
    rewriteRevocations(paths.revocations, [eve, bob]);
    recordRestore(paths, 'b.db', [eve]);
    const { entries } = readRevocations(paths.revocations);
    assert.deepEqual(
      entries.slice(2).map(({ what, sequence }) => [what, sequence]),
      [['restored', 8]],
    );
  }),
);

test.run();

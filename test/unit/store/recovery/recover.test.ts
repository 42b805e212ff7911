import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import { count, createBackup, hasErrorCode, insert, withTempStore } from '../temp-store.js';

/** Overwrites all database pages except the first. */
function damage(file: string): void {
  const handle = openSync(file, 'r+');
  const bytes = statSync(file).size - 4096;
  writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, 4096);
  closeSync(handle);
}

const aside = (dir: string): string[] => readdirSync(dir).filter((name) => name.includes('.damaged-'));

test(
  'replaces a damaged database with the latest backup, keeps the damaged file and reports both files',
  withTempStore(async (temp) => {
    const { dir, file, open, log } = temp;
    const backup = await createBackup(temp);
    damage(file);
    const bytes = readFileSync(file);
    const store = await open();
    const { healthy, restoredFrom, notices } = store.status();
    assert.deepEqual([healthy, restoredFrom, count(store)], [true, backup, 10]);
    assert.match(
      textOf(notices[0] ?? ''),
      /^The database was damaged: .*kept as cartwright\.db\.damaged-\d{8}T\d{6}Z\. The backup from /,
    );
    assert.ok(log.events().includes('store.notice_issued'));
    const [kept] = aside(dir);
    assert.deepEqual(readFileSync(join(dir, kept ?? '')), bytes);
    assert.ok(existsSync(backup), 'the backup was removed');
    await insert(store, 10, 11);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }),
);

test(
  'skips a damaged backup and restores the previous one',
  withTempStore(async (temp) => {
    const { file, open } = temp;
    const older = await createBackup(temp);
    const store = await open();
    const newer = await store.backup();
    await store.close();
    damage(file);
    damage(newer.path);
    const again = await open();
    assert.deepEqual([again.status().restoredFrom, count(again)], [older, 10]);
    assert.match(textOf(again.status().notices[1] ?? ''), /backup cartwright-000002-.* is also damaged/);
  }),
);

test(
  'reports that it starts with an empty database when no usable backup exists',
  withTempStore(async ({ dir, file, open }) => {
    writeFileSync(file, 'not a database, and longer than a database header '.repeat(20));
    const store = await open();
    assert.match(
      textOf(store.status().notices[0] ?? ''),
      /There was no usable backup\. .* empty database\.$/,
    );
    assert.equal(aside(dir).length, 1);
    await insert(store, 0, 1);
  }),
);

for (const loss of ['missing', 'empty'] as const) {
  test(
    `restores a database that is ${loss} when backups exist`,
    withTempStore(async (temp) => {
      const { file, open } = temp;
      await createBackup(temp);
      if (loss === 'missing') rmSync(file);
      else truncateSync(file, 0);
      const store = await open();
      assert.equal(count(store), 10);
      assert.match(textOf(store.status().notices[0] ?? ''), loss === 'missing' ? /was missing/ : /was empty/);
    }),
  );
}

test(
  'does not apply a leftover log to the restored database',
  withTempStore(async (temp) => {
    const { dir, file, open } = temp;
    await createBackup(temp);
    rmSync(file);
    writeFileSync(`${file}-wal`, 'a log of another file');
    const store = await open();
    assert.equal(count(store), 10);
    assert.deepEqual(
      aside(dir).map((name) => name.slice(-4)),
      ['-wal'],
    );
  }),
);

test(
  'keeps a damaged database and its log under matching names',
  withTempStore(async (temp) => {
    const { dir, file, open } = temp;
    await createBackup(temp);
    damage(file);
    writeFileSync(`${file}-wal`, '');
    await open();
    const [first, ...others] = aside(dir).sort();
    assert.ok(others.every((name) => name.startsWith(`${first}-`)));
  }),
);

test(
  'does not report notices at the first startup',
  withTempStore(async ({ open }) => {
    const store = await open();
    const { healthy, notices, schemaVersion, lastBackup } = store.status();
    assert.deepEqual([healthy, notices, schemaVersion > 0, lastBackup], [true, [], true, undefined]);
  }),
);

test(
  'rejects an operation that reads a damaged page, and reports the damage until a restart',
  withTempStore(async ({ file, open }) => {
    const first = await open();
    await insert(first, 0, 2000);
    await first.close();
    const store = await open();
    // Damages the file directly, as a failing SD card would, and not through SQLite.
    damage(file);
    const results = await Promise.allSettled([
      store.write('test.insert', { id: 5000, text: 'x' }),
      store.write('test.pragma', { name: 'user_version' }),
    ]);
    assert.equal(results[0]?.status, 'rejected');
    assert.match(
      textOf(store.status().reason),
      /the database file is damaged; when the gateway restarts, it restores the latest backup/,
    );
    assert.equal(store.status().healthy, false);
  }),
);

test(
  'rejects a database from a newer gateway version without changing it',
  withTempStore(async ({ file, open, sql }) => {
    await (await open()).close();
    sql('PRAGMA user_version = 99');
    const bytes = readFileSync(file);
    await assert.rejects(open(), hasErrorCode('STORE_NEWER', /schema version 99, but this gateway supports/));
    assert.deepEqual(readFileSync(file), bytes);
  }),
);

test.run();

import assert from 'node:assert/strict';
import {
  closeSync,
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

/** Overwrites every page but the first with rubbish. */
function damage(file: string): void {
  const handle = openSync(file, 'r+');
  const bytes = statSync(file).size - 4096;
  writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, 4096);
  closeSync(handle);
}

const aside = (dir: string): string[] => readdirSync(dir).filter((name) => name.includes('.damaged-'));

test(
  'a damaged page at the start: the file is kept, the newest backup takes its place, and it is said loudly',
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
      /^The database was damaged: .*kept as cartwright\.db\.damaged-\d{8}T\d{6}Z\. The backup of /,
    );
    assert.ok(log.events().includes('store.notice'));
    const [kept] = aside(dir);
    assert.deepEqual(readFileSync(join(dir, kept ?? '')), bytes);
    assert.ok(readdirSync(join(dir, 'backups')).length === 1, 'the backup itself is still there');
    await insert(store, 10, 11);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }),
);

test(
  'a damaged backup is passed over for the one before it',
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
    assert.match(textOf(again.status().notices[1] ?? ''), /backup cartwright-000002-.* is damaged as well/);
  }),
);

test(
  'without a good backup the gateway starts with an empty database and says so',
  withTempStore(async ({ dir, file, open }) => {
    writeFileSync(file, 'this is no database, and longer than its header would be '.repeat(20));
    const store = await open();
    assert.match(textOf(store.status().notices[0] ?? ''), /There was no good backup: .* empty database\.$/);
    assert.equal(aside(dir).length, 1);
    await insert(store, 0, 1);
  }),
);

for (const loss of ['gone', 'of no bytes'] as const) {
  test(
    `a database that is ${loss} beside backups is restored, not begun anew`,
    withTempStore(async (temp) => {
      const { file, open } = temp;
      await createBackup(temp);
      if (loss === 'gone') rmSync(file);
      else truncateSync(file, 0);
      const store = await open();
      assert.equal(count(store), 10);
      assert.match(textOf(store.status().notices[0] ?? ''), loss === 'gone' ? /was missing/ : /was empty/);
    }),
  );
}

test(
  'a log without its database is never played into the restored one',
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
  'a damaged log and file are set aside together, under names that belong together',
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
  'a first start is silent',
  withTempStore(async ({ open }) => {
    const store = await open();
    const { healthy, notices, schemaVersion, lastBackup } = store.status();
    assert.deepEqual([healthy, notices, schemaVersion > 0, lastBackup], [true, [], true, undefined]);
  }),
);

test(
  'a page that turns out damaged while running fails its own operation and is told until the restart',
  withTempStore(async ({ file, open }) => {
    const first = await open();
    await insert(first, 0, 2000);
    await first.close();
    const store = await open();
    // Behind SQLite's back, as a failing card does it.
    damage(file);
    const results = await Promise.allSettled([
      store.write('test.insert', { id: 5000, text: 'x' }),
      store.write('test.pragma', { name: 'user_version' }),
    ]);
    assert.equal(results[0]?.status, 'rejected');
    assert.match(textOf(store.status().reason), /the database file is damaged; at its next start/);
    assert.equal(store.status().healthy, false);
  }),
);

test(
  'a database of a newer gateway refuses the start and is left as it is',
  withTempStore(async ({ file, open, sql }) => {
    await (await open()).close();
    sql('PRAGMA user_version = 99');
    const bytes = readFileSync(file);
    await assert.rejects(open(), hasErrorCode('STORE_NEWER', /version 99, newer than this gateway/));
    assert.deepEqual(readFileSync(file), bytes);
  }),
);

test.run();

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { BackupShelf } from '../../../../src/shared/ports/backups.js';
import { openBackupShelf } from '../../../../src/store/backup/catalogue.js';
import { count, hasErrorCode, insert, type TempStore, withTempStore } from '../temp-store.js';

/** An open store with a backup of 10 rows, and 5 rows after it. */
async function prepared({ dir, clock, log, open }: TempStore) {
  const shelf: BackupShelf = openBackupShelf({ dir, clock, log });
  const store = await open();
  await insert(store, 0, 10);
  const { path } = await store.backup();
  await insert(store, 10, 15);
  return { shelf, store, path, name: basename(path) };
}
const asideIn = (dir: string): string[] =>
  readdirSync(dir).filter((name) => /^cartwright\.db\.replaced-\w+$/.test(name));

test(
  'a check says that a backup is sound, and what a restore would take away',
  withTempStore(async (temp) => {
    const { shelf, name } = await prepared(temp);
    const [kept] = shelf.list();
    assert.equal(kept?.name, name);
    const { damage, tables } = await shelf.check(name);
    assert.equal(damage, '');
    assert.deepEqual(
      tables.find(({ table }) => table === 'rows'),
      { table: 'rows', kept: 10, now: 15 },
    );
  }),
);

test(
  'a damaged backup is found out, and cannot be chosen',
  withTempStore(async (temp) => {
    const { shelf, name, path } = await prepared(temp);
    truncateSync(path, 5000);
    assert.notEqual((await shelf.check(name)).damage, '');
    await assert.rejects(
      shelf.choose(name, 'anna'),
      hasErrorCode('STORE_FAILED', /damaged and cannot be restored/),
    );
    assert.equal(shelf.chosen(), undefined);
  }),
);

test(
  'a name that is none of the backups is refused, also one that climbs out of the folder',
  withTempStore(async (temp) => {
    const { shelf } = await prepared(temp);
    for (const name of ['nothing.db', '../cartwright.db', '']) {
      assert.throws(() => shelf.pathOf(name), hasErrorCode('NOT_FOUND'));
      await assert.rejects(async () => shelf.choose(name, 'anna'), hasErrorCode('NOT_FOUND'));
    }
  }),
);

test(
  'the chosen backup takes its place at the next start and not before; what it replaced is kept and it is said',
  withTempStore(async (temp) => {
    const { dir, open } = temp;
    const { shelf, store, name, path } = await prepared(temp);
    assert.equal((await shelf.choose(name, 'anna')).by, 'anna');
    assert.equal(count(store), 15);
    await store.close();
    const next = await open();
    assert.equal(count(next), 10);
    const { restoredFrom, notices, healthy } = next.status();
    assert.deepEqual([restoredFrom, healthy], [path, true]);
    const [aside = ''] = asideIn(dir);
    assert.ok(
      textOf(notices[0] ?? '').includes(`as anna chose. What was saved after it is kept in ${aside}.`),
      textOf(notices[0] ?? ''),
    );
    await next.close();
    writeFileSync(temp.file, readFileSync(join(dir, aside)));
    assert.deepEqual(temp.sql('SELECT count(*) AS n FROM rows'), [{ n: 15 }]);
  }),
);

test(
  'it happens once: the start after that keeps what was saved since',
  withTempStore(async (temp) => {
    const { shelf, store, name } = await prepared(temp);
    await shelf.choose(name, 'anna');
    await store.close();
    const second = await temp.open();
    await insert(second, 100, 103);
    await second.close();
    assert.equal(count(await temp.open()), 13);
    assert.equal(shelf.chosen(), undefined);
  }),
);

test(
  'a choice that is taken back changes nothing',
  withTempStore(async (temp) => {
    const { shelf, store, name } = await prepared(temp);
    await shelf.choose(name, 'anna');
    await shelf.cancel();
    await store.close();
    assert.equal(count(await temp.open()), 15);
  }),
);

test(
  'a backup that was damaged or lost after it was chosen is not restored, and that is said',
  withTempStore(async (temp) => {
    const { shelf, store, name, path } = await prepared(temp);
    await shelf.choose(name, 'anna');
    await store.close();
    truncateSync(path, 5000);
    const next = await temp.open();
    assert.equal(count(next), 15);
    assert.match(textOf(next.status().notices[0] ?? ''), /was not restored: .* Nothing has changed\./);
    assert.equal(existsSync(join(temp.dir, 'restore.json')), false);
  }),
);

test(
  'cut off after the database was set aside, the next start brings the backup',
  withTempStore(async (temp) => {
    const { shelf, store, name } = await prepared(temp);
    await shelf.choose(name, 'anna');
    await store.close();
    // As a power cut between the two renames would leave it.
    const bytes = readFileSync(temp.file);
    writeFileSync(`${temp.file}.replaced-20260101T000000Z`, bytes);
    rmSync(temp.file);
    assert.equal(count(await temp.open()), 10);
  }),
);

test.run();

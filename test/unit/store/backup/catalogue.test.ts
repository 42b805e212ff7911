import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { BackupShelf } from '../../../../src/shared/ports/ports.js';
import { openBackupShelf } from '../../../../src/store/backup/catalogue.js';
import { coded, count, inPlace, insert, type Place } from '../place.js';

/** An open store with a backup of 10 rows, and 5 rows after it. */
async function prepared({ dir, clock, log, open }: Place) {
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
  inPlace(async (place) => {
    const { shelf, name } = await prepared(place);
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
  inPlace(async (place) => {
    const { shelf, name, path } = await prepared(place);
    truncateSync(path, 5000);
    assert.notEqual((await shelf.check(name)).damage, '');
    await assert.rejects(shelf.choose(name, 'anna'), coded('STORE_FAILED', /damaged and cannot be restored/));
    assert.equal(shelf.chosen(), undefined);
  }),
);

test(
  'a name that is none of the backups is refused, also one that climbs out of the folder',
  inPlace(async (place) => {
    const { shelf } = await prepared(place);
    for (const name of ['nothing.db', '../cartwright.db', '']) {
      assert.throws(() => shelf.pathOf(name), coded('NOT_FOUND'));
      await assert.rejects(async () => shelf.choose(name, 'anna'), coded('NOT_FOUND'));
    }
  }),
);

test(
  'the chosen backup takes its place at the next start and not before; what it replaced is kept and it is said',
  inPlace(async (place) => {
    const { dir, open } = place;
    const { shelf, store, name, path } = await prepared(place);
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
    writeFileSync(place.file, readFileSync(join(dir, aside)));
    assert.deepEqual(place.sql('SELECT count(*) AS n FROM rows'), [{ n: 15 }]);
  }),
);

test(
  'it happens once: the start after that keeps what was saved since',
  inPlace(async (place) => {
    const { shelf, store, name } = await prepared(place);
    await shelf.choose(name, 'anna');
    await store.close();
    const second = await place.open();
    await insert(second, 100, 103);
    await second.close();
    assert.equal(count(await place.open()), 13);
    assert.equal(shelf.chosen(), undefined);
  }),
);

test(
  'a choice that is taken back changes nothing',
  inPlace(async (place) => {
    const { shelf, store, name } = await prepared(place);
    await shelf.choose(name, 'anna');
    await shelf.cancel();
    await store.close();
    assert.equal(count(await place.open()), 15);
  }),
);

test(
  'a backup that was damaged or lost after it was chosen is not restored, and that is said',
  inPlace(async (place) => {
    const { shelf, store, name, path } = await prepared(place);
    await shelf.choose(name, 'anna');
    await store.close();
    truncateSync(path, 5000);
    const next = await place.open();
    assert.equal(count(next), 15);
    assert.match(textOf(next.status().notices[0] ?? ''), /was not restored: .* Nothing has changed\./);
    assert.equal(existsSync(join(place.dir, 'restore.json')), false);
  }),
);

test(
  'cut off after the database was set aside, the next start brings the backup',
  inPlace(async (place) => {
    const { shelf, store, name } = await prepared(place);
    await shelf.choose(name, 'anna');
    await store.close();
    // As a power cut between the two renames would leave it.
    const bytes = readFileSync(place.file);
    writeFileSync(`${place.file}.replaced-20260101T000000Z`, bytes);
    rmSync(place.file);
    assert.equal(count(await place.open()), 10);
  }),
);

test.run();

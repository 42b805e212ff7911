import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'uvu';
import { keyActor, userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import { openBackupManager } from '../../../../src/store/backup/backup-manager.js';
import { storePaths } from '../../../../src/store/paths.js';
import { count, createBackup, hasErrorCode, type TempStore, withTempStore } from '../temp-store.js';

const informationOf = (store: Store): string => store.status().information.map(textOf).join(' ');

/** Opens the store after a restore that anna requested. Returns the backup's name too. */
async function restored(temp: TempStore): Promise<{ store: Store; name: string }> {
  const { dir, clock, log, open } = temp;
  const name = basename(await createBackup(temp));
  await openBackupManager({ dir, clock, log }).choose(name, userActor('anna'));
  return { store: await open(), name };
}

test(
  'records the actor who requested a restore',
  withTempStore(async (temp) => {
    const { dir, clock, log, open } = temp;
    const backups = openBackupManager({ dir, clock, log });
    const name = basename(await createBackup(temp));
    const tablet = keyActor('tablet');
    await backups.choose(name, tablet);
    assert.deepEqual(backups.chosen()?.by, tablet);
    await (await open()).close();
    const report = (await open()).status().restored;
    assert.deepEqual(report?.by, tablet.name);
    assert.equal(JSON.parse(JSON.stringify(report)).by, 'key tablet');
  }),
);

test(
  'reads a request and a report written by version 0.2, which contain only a name',
  withTempStore(async (temp) => {
    const { dir, clock, log, open } = temp;
    const { choice, restored: report } = storePaths(dir);
    const name = basename(await createBackup(temp));
    writeFileSync(choice, JSON.stringify({ name, by: 'key tablet', at: 1 }));
    assert.deepEqual(openBackupManager({ dir, clock, log }).chosen()?.by, keyActor('tablet'));
    rmSync(choice);
    for (const [by, shown] of [
      ['key tablet', keyActor('tablet').name],
      ['', ''],
    ]) {
      writeFileSync(report, JSON.stringify({ name, at: 1, by, kept: '' }));
      const store = await open();
      assert.deepEqual(store.status().restored?.by, shown);
      await store.close();
    }
  }),
);

test(
  'reports a requested restore as information and not as a fault',
  withTempStore(async (temp) => {
    const { store, name } = await restored(temp);
    const { notices, healthy } = store.status();
    assert.deepEqual([notices, healthy], [[], true]);
    assert.match(informationOf(store), new RegExp(`^Restored from ${name} on .*, as requested by anna\\.`));
  }),
);

// Fault case 74
test(
  'keeps the report of a restore across restarts until the report is confirmed',
  withTempStore(async (temp) => {
    const { store, name } = await restored(temp);
    assert.equal(store.status().restored?.name, name);
    await store.close();
    const second = await temp.open();
    assert.equal(second.status().restoredFrom, undefined);
    assert.equal(second.status().restored?.name, name);
    assert.match(informationOf(second), /as requested by anna/);
    assert.equal((await second.confirmRestore()).name, name);
    assert.equal(second.status().restored, undefined);
    await assert.rejects(second.confirmRestore(), hasErrorCode('NOT_FOUND'));
    await second.close();
    const { restored: left, information } = (await temp.open()).status();
    assert.deepEqual([left, information], [undefined, []]);
  }),
);

test(
  'reports a backup that replaced a damaged database as a fault, and as a restore after the next start',
  withTempStore(async (temp) => {
    const name = basename(await createBackup(temp));
    writeFileSync(temp.file, 'not a database, and longer than a database header '.repeat(20));
    const store = await temp.open();
    assert.match(store.status().notices.map(textOf).join(' '), /^The database was damaged/);
    await store.acknowledgeLostWrites();
    await store.close();
    const next = await temp.open();
    assert.deepEqual([next.status().restored?.name, next.status().notices], [name, []]);
    assert.match(informationOf(next), /because the database was missing or damaged\.$/);
  }),
);

test(
  'reports a restore that a power cut interrupted before the report was written',
  withTempStore(async (temp) => {
    const { store, name } = await restored(temp);
    const { choice, restored: report } = storePaths(temp.dir);
    await store.close();
    rmSync(report);
    writeFileSync(choice, JSON.stringify({ name, by: 'anna', at: 1 }));
    assert.equal((await temp.open()).status().restored?.name, name);
  }),
);

test(
  'reports a restore of a missing database that a power cut interrupted after the report was written',
  withTempStore(async (temp) => {
    const name = basename(await createBackup(temp));
    rmSync(temp.file);
    await (await temp.open()).close();
    // The report is written before the restored copy is renamed to the name of the database.
    const { database } = storePaths(temp.dir);
    renameSync(database, `${database}.restoring`);
    const store = await temp.open();
    assert.deepEqual([store.status().restored?.name, count(store)], [name, 10]);
  }),
);

for (const [what, content] of [
  ['is empty', ''],
  ['is not JSON', '{"name"'],
  ['is not an object', '7'],
  ['has members of other types', '{"name":7,"at":"x","by":null}'],
] as const) {
  test(
    `a restore is still reported when the report ${what}`,
    withTempStore(async (temp) => {
      writeFileSync(storePaths(temp.dir).restored, content);
      const store = await temp.open();
      assert.deepEqual(store.status().restored, { name: '', at: 0, by: '', kept: '' });
      assert.equal(informationOf(store), 'The database was restored from a backup.');
      await store.confirmRestore();
      assert.equal(existsSync(storePaths(temp.dir).restored), false);
    }),
  );
}

test(
  'keeps the report of a restore if it cannot be removed',
  withTempStore(async (temp) => {
    const { store } = await restored(temp);
    const { restored: report } = storePaths(temp.dir);
    const text = readFileSync(report, 'utf8');
    rmSync(report);
    // A folder with the report's name cannot be removed like a file.
    mkdirSync(report);
    await assert.rejects(store.confirmRestore());
    assert.notEqual(store.status().restored, undefined);
    rmSync(report, { recursive: true });
    writeFileSync(report, text);
    await store.confirmRestore();
  }),
);

test(
  'does not report a restore if the database is intact and no restore was requested',
  withTempStore(async (temp) => {
    await createBackup(temp);
    const { restored: report, information } = (await temp.open()).status();
    assert.deepEqual([report, information], [undefined, []]);
  }),
);

test.run();

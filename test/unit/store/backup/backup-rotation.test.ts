import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import { openPlain } from '../../../../src/store/connection.js';
import { until } from '../../../helpers/until.js';
import { count, insert, withTempStore } from '../temp-store.js';

const HOUR = 3_600_000;

test(
  'makes a complete single-file backup during concurrent writes, and shows it in the status',
  withTempStore(async ({ open, dir }) => {
    const store = await open({ batchOperations: 20 });
    await insert(store, 0, 1000);
    const making = store.backup();
    let id = 1000;
    let isDone = false;
    void making.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await insert(store, id, id + 20);
      id += 20;
    }
    const report = await making;

    assert.match(basename(report.path), /^cartwright-000001-20260101T000000Z\.db$/);
    const name = basename(report.path);
    assert.deepEqual(readdirSync(join(dir, 'backups')), [name, `${name}.sha256`]);
    assert.equal(statSync(report.path).mode & 0o777, 0o600);
    const copy = openPlain(report.path, 5000);
    assert.deepEqual(copy.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
    const rows = Number(copy.prepare('SELECT count(*) FROM rows').pluck().get());
    copy.close();
    assert.ok(
      rows >= 1000 && rows <= id && rows % 20 === 0,
      `${rows} rows: not a whole number of transactions`,
    );
    assert.equal(count(store), id);
    const { path, bytes } = report;
    assert.deepEqual(store.status().lastBackup, { path, bytes, at: Date.UTC(2026, 0, 1) });
  }),
);

test(
  'keeps the seven highest-numbered backups even if the clock is set back',
  withTempStore(async ({ open, dir, clock }) => {
    const store = await open();
    await store.backup();
    writeFileSync(join(dir, 'backups', 'cartwright-000002-20260101T000000Z.db.part'), 'partial');
    clock.stepWallTime(-400 * 24 * HOUR);
    for (let n = 2; n <= 9; n += 1) await store.backup();
    const names = readdirSync(join(dir, 'backups')).sort();
    assert.deepEqual(
      names.map((name) => name.slice(0, 17)),
      [3, 4, 5, 6, 7, 8, 9].flatMap((n) => [`cartwright-00000${n}`, `cartwright-00000${n}`]),
    );
    assert.ok(names.every((name) => name.includes('-20241')));
  }),
);

test(
  'runs concurrently requested backups one after another',
  withTempStore(async ({ open }) => {
    const store = await open();
    const made = await Promise.all([store.backup(), store.backup()]);
    assert.deepEqual(
      made.map(({ path }) => existsSync(path)),
      [true, true],
    );
    assert.notEqual(made[0]?.path, made[1]?.path);
  }),
);

test(
  'makes the daily backup soon after startup, and reports a backup that fails',
  withTempStore(async ({ open, dir, clock, log }) => {
    const store = await open();
    writeFileSync(join(dir, 'backups'), 'a file where the directory should be');
    const failed = log.next('store.backup_failed');
    clock.advance(HOUR / 12);
    await failed;
    assert.match(textOf(store.status().notices.at(-1) ?? ''), /^The daily backup failed: /);
    assert.equal(store.status().healthy, true);
    rmSync(join(dir, 'backups'));
    const made = log.next('store.backup_made');
    clock.advance(HOUR);
    await made;
    assert.deepEqual(store.status().notices, []);
    clock.advance(12 * HOUR);
    assert.equal(log.events().filter((event) => event === 'store.backup_made').length, 1);
  }),
);

test(
  'closing the store ends a running backup and cancels all timers',
  withTempStore(async ({ open, clock }) => {
    const store = await open();
    const backup = store.backup().then(
      () => 'made',
      () => 'cancelled',
    );
    await store.close();
    assert.ok(['made', 'cancelled'].includes(await backup));
    assert.equal(clock.timers, 0);
  }),
);

test(
  'a backup that takes longer than 30 min fails',
  withTempStore(async ({ open, clock }) => {
    const store = await open();
    const { timers } = clock;
    const backup = store.backup();
    await until(() => clock.timers > timers);
    clock.advance(1_800_000);
    await assert.rejects(backup, /the backup failed: it took longer than 30 min/);
    await store.close();
  }),
);

test.run();

import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { replayAccess } from '../../../../src/access/index.js';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { openPlain } from '../../../../src/store/connection.js';
import { STORE_LIMITS } from '../../../../src/store/limits.js';
import { storePaths } from '../../../../src/store/paths.js';
import { commitNumberOf } from '../../../../src/store/recovery/commit-number.js';
import { restorableDatabase } from '../../../../src/store/recovery/gateway-restore.js';
import { type StartedDatabase, startDatabase } from '../../../../src/store/recovery/open-database.js';
import { appendRevocations, readRevocations } from '../../../../src/store/recovery/revocation-file.js';
import { hasErrorCode } from '../temp-store.js';

const NAME = 'cartwright-test-20260101T000000Z.cwbackup';
const KEY = `key ${'ab'.repeat(32)}`;

interface Folders {
  /** The data directory of this gateway. */
  dir: string;
  staged: string;
  prepared: string;
  prepare(): ReturnType<typeof restorableDatabase.prepare>;
  /** Puts the prepared files in place and opens the database. */
  restore(): Promise<StartedDatabase>;
}

function open(dir: string): Promise<StartedDatabase> {
  return startDatabase(dir, STORE_LIMITS, false, { replay: replayAccess });
}

/** Creates a user, whose ID and time of creation identify the user in the journal. */
function addUser({ db }: StartedDatabase, username: string): void {
  db.prepare(
    "INSERT INTO users (id, username, username_key, role, password_phc, created_at, updated_at) VALUES (7, ?, ?, 'admin', 'hash', 1000, 1000)",
  ).run(username, username);
}

function revoke({ db, journal }: StartedDatabase, subject: string, what: string, value: string): void {
  db.prepare(
    'INSERT OR REPLACE INTO revocations (subject, what, value, sequence) VALUES (?, ?, ?, (SELECT coalesce(max(sequence), 0) + 1 FROM revocations))',
  ).run(subject, what, value);
  journal.publish();
}

/** A gateway with a user, and a backup that was made before `after` changed the gateway. */
async function withBackup(
  after: (started: StartedDatabase) => void,
  run: (folders: Folders) => Promise<void> | void,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'gateway-restore-'));
  const [dir = '', staged = '', prepared = ''] = ['data', 'staged', 'prepared'].map((name) =>
    join(root, name),
  );
  try {
    const started = await open(dir);
    addUser(started, 'anna');
    revoke(started, 'sessions', 'ended', '');
    started.db.pragma('wal_checkpoint(TRUNCATE)');
    mkdirSync(staged);
    copyFileSync(storePaths(dir).database, storePaths(staged).database);
    copyFileSync(storePaths(dir).revocations, storePaths(staged).revocations);
    after(started);
    started.db.close();
    const prepare = () => {
      rmSync(prepared, { recursive: true, force: true });
      mkdirSync(prepared);
      const by = userActor('bob');
      return restorableDatabase.prepare({ dir, staged, prepared, name: NAME, by, at: 5 });
    };
    await run({
      dir,
      staged,
      prepared,
      prepare,
      restore() {
        const { paths } = prepare();
        for (const path of [...paths, 'cartwright.db']) rmSync(join(dir, path), { force: true });
        renameSync(join(staged, 'cartwright.db'), join(dir, 'cartwright.db'));
        for (const path of readdirSync(prepared)) renameSync(join(prepared, path), join(dir, path));
        return open(dir);
      },
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function stateOf({ db }: StartedDatabase): unknown {
  return db.prepare('SELECT username, role, disabled_at IS NULL AS enabled FROM users WHERE id = 7').get();
}

test('users who were disabled or demoted after the backup stay disabled or demoted', () =>
  withBackup(
    (started) => {
      revoke(started, 'user 7 1000', 'disabled', '1');
      revoke(started, 'user 7 1000', 'role', 'operator');
    },
    async ({ restore }) => {
      const restored = await restore();
      assert.deepEqual(stateOf(restored), { username: 'anna', role: 'operator', enabled: 0 });
      restored.db.close();
    },
  ));

test('a key that was revoked after the backup stays revoked', () =>
  withBackup(
    (started) => revoke(started, KEY, 'revoked', ''),
    async ({ restore }) => {
      const restored = await restore();
      const rows = restored.db.prepare('SELECT subject FROM revocations').all() as { subject: string }[];
      assert.ok(rows.some(({ subject }) => subject === KEY));
      restored.db.close();
    },
  ));

for (const [what, damage] of [
  ['missing', (path: string) => rmSync(path)],
  [
    'damaged',
    (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('revoked', 'revokes')),
  ],
] as const)
  test(`a key stays revoked if the revocation journal is ${what}`, () =>
    withBackup(
      (started) => revoke(started, KEY, 'revoked', ''),
      async ({ dir, restore }) => {
        damage(storePaths(dir).revocations);
        const restored = await restore();
        const rows = restored.db.prepare('SELECT subject FROM revocations').all() as { subject: string }[];
        assert.ok(rows.some(({ subject }) => subject === KEY));
        restored.db.close();
      },
    ));

test('a restore replaces a damaged database', () =>
  withBackup(
    () => undefined,
    async ({ dir, restore }) => {
      writeFileSync(storePaths(dir).database, 'damaged'.repeat(1000));
      const restored = await restore();
      assert.deepEqual(stateOf(restored), { username: 'anna', role: 'admin', enabled: 1 });
      restored.db.close();
    },
  ));

test('the restored database is not compared with the previous one, and a restore is not reported as a fault', () =>
  withBackup(
    (started) => {
      revoke(started, 'user 7 1000', 'role', 'operator');
      started.db.prepare('UPDATE commit_number SET operations = operations + 100').run();
      started.commits.publish();
    },
    async ({ dir, restore }) => {
      const restored = await restore();
      const { notices, information, lostWrites, restored: report } = restored.report;
      assert.deepEqual([notices, lostWrites], [[], undefined]);
      assert.deepEqual(report, { name: NAME, at: 5, by: 'bob', kept: '' });
      assert.match(textOf(information[0] ?? ''), /^Restored from cartwright-test-/);
      restored.db.close();
      assert.ok(readRevocations(storePaths(dir).revocations).last > 0);
    },
  ));

test('the restored database receives its own ID, even if the preparation is repeated', () =>
  withBackup(
    () => undefined,
    async ({ dir, prepare, restore }) => {
      const before = await open(dir);
      const { databaseId } = commitNumberOf(before.db);
      before.db.close();
      const first = prepare();
      assert.deepEqual(prepare(), first);
      const restored = await restore();
      assert.notEqual(commitNumberOf(restored.db).databaseId, databaseId);
      restored.db.close();
    },
  ));

test("adopts revocations that only the backup's journal contains", () =>
  withBackup(
    () => undefined,
    async ({ staged, restore }) => {
      const path = storePaths(staged).revocations;
      const later = { subject: 'user 7 1000', what: 'disabled', value: '1', sequence: 90 };
      appendRevocations(path, readRevocations(path), [later]);
      const restored = await restore();
      assert.deepEqual(stateOf(restored), { username: 'anna', role: 'admin', enabled: 0 });
      restored.db.close();
    },
  ));

test('rejects a backup with a damaged, empty or missing database, or a newer schema version', () =>
  withBackup(
    () => undefined,
    ({ staged, prepare }) => {
      const { database } = storePaths(staged);
      const bytes = readFileSync(database);
      const db = openPlain(database, 100);
      db.pragma('user_version = 99999');
      db.close();
      assert.throws(prepare, hasErrorCode('BACKUP_NEWER'));
      writeFileSync(database, bytes.subarray(0, bytes.length / 2));
      assert.throws(prepare, hasErrorCode('BACKUP_DAMAGED'));
      writeFileSync(database, '');
      assert.throws(prepare, hasErrorCode('BACKUP_DAMAGED'));
      rmSync(database);
      assert.throws(prepare, hasErrorCode('BACKUP_DAMAGED'));
    },
  ));

test('undoing a restore keeps only those revocations that were made after the restore', () =>
  withBackup(
    (started) => revoke(started, KEY, 'revoked', ''),
    async ({ dir, staged, prepare, restore }) => {
      const previous = join(staged, 'previous.journal');
      copyFileSync(storePaths(dir).revocations, previous);
      const unchanged = readFileSync(previous);
      const { lastRevocation: after } = prepare();
      const restored = await restore();
      const keep = (returnedFrom?: string) =>
        restorableDatabase.keepRevocations({
          from: storePaths(dir).revocations,
          into: previous,
          after,
          returnedFrom,
        });
      keep();
      assert.deepEqual(readFileSync(previous), unchanged);
      revoke(restored, 'user 7 1000', 'disabled', '1');
      restored.db.close();
      keep();
      keep();
      const { entries } = readRevocations(previous);
      assert.deepEqual(
        entries.map(({ subject }) => subject),
        ['sessions', KEY, 'user 7 1000'],
      );
      keep(NAME);
      keep(NAME);
      const ended = readRevocations(previous).entries.slice(3);
      assert.deepEqual(ended, [
        { subject: 'database', what: 'restored', value: NAME, sequence: (entries.at(-1)?.sequence ?? 0) + 1 },
      ]);
    },
  ));

test.run();

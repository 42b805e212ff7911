import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import { makeArchive } from '../../../../src/backups/archive.js';
import { RestoreFiles } from '../../../../src/backups/restore/files.js';
import {
  GatewayRestore,
  type GatewayRestoreDeps,
  type RestoreEvent,
} from '../../../../src/backups/restore/gateway-restore.js';
import { onTrial, type RestoreJournal, stagedJournal } from '../../../../src/backups/restore/machine.js';
import { userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { until } from '../../../helpers/until.js';
import { hasErrorCode } from '../../store/temp-store.js';

const NAME = 'cartwright-test-20260101T000000Z.cwbackup';
const passphrase = 'correct horse battery';
const ANNA = userActor('anna');
const FILES = {
  'cartwright.db': 'database',
  'variables.json': '{}',
  'plan/plan.json': 'plan',
  'estop.json': 'latched',
};

interface Harness {
  dir: string;
  path: string;
  clock: FakeClock;
  log: RecordingLog;
  events: [RestoreEvent, string][];
  open(more?: Partial<GatewayRestoreDeps>): Promise<GatewayRestore>;
  /** SHA-256 of all paths and contents. */
  hash(): string;
}

function hashOf(dir: string): string {
  const hash = createHash('sha256');
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted()) {
    hash.update(`${path}\0`);
    if (statSync(join(dir, path)).isFile()) hash.update(readFileSync(join(dir, path)));
  }
  return hash.digest('hex');
}

/** A data directory with a backup of it. */
async function withBackup(run: (harness: Harness) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'gateway-restore-'));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
    const path = join(dir, 'gateway-backups', NAME);
    mkdirSync(dirname(path));
    await makeArchive({
      dir,
      path,
      passphrase,
      about: { gateway: 'test', cartId: 1, version: '0.3.0', madeAt: 0 },
      snapshot: { path: join(dir, 'cartwright.db'), schemaVersion: 5, tables: {} },
      include: [],
      minFreeBytes: 0,
    });
    const [clock, log] = [new FakeClock(), new RecordingLog()];
    const events: [RestoreEvent, string][] = [];
    await run({
      dir,
      path,
      clock,
      log,
      events,
      hash: () => hashOf(dir),
      open: (more) =>
        GatewayRestore.open({
          dir,
          clock,
          log,
          async pathOf(name) {
            if (name === NAME) return path;
            throw new GatewayError('NOT_FOUND', 'there is no such backup');
          },
          schemaVersion: 5,
          minFreeBytes: 0,
          isIdle: () => true,
          isReady: () => true,
          isDatabaseChosen: () => false,
          backUpDatabase: async () => undefined,
          record: async (event, _backup, by) => void events.push([event, by.id]),
          ...more,
        }),
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A gateway that has just replaced its files. */
async function onTrialIn(
  { dir, open }: Harness,
  more?: Partial<GatewayRestoreDeps>,
): Promise<GatewayRestore> {
  const files = new RestoreFiles(dir);
  files.write(onTrial(stagedJournal({ name: NAME, by: ANNA, at: 1, groups: [] })));
  mkdirSync(files.previous);
  writeFileSync(join(files.previous, 'variables.json'), 'previous');
  return await open(more);
}

test('unpacks a backup beside the current files without changing them', () =>
  withBackup(async ({ dir, open }) => {
    const restore = await open();
    await restore.restore({ name: NAME, passphrase, by: ANNA });
    const { staged } = new RestoreFiles(dir);
    for (const path of ['cartwright.db', 'variables.json', 'plan/plan.json'])
      assert.deepEqual(readFileSync(join(staged, path)), readFileSync(join(dir, path)), path);
    assert.equal(existsSync(join(staged, 'estop.json')), false);
    const { step, by } = restore.view() ?? {};
    assert.deepEqual([step, by], ['staged', 'anna']);
    restore.close();
  }));

test('cancels a restore if the gateway does not restart within an hour', () =>
  withBackup(async ({ clock, hash, log, open }) => {
    const before = hash();
    const restore = await open();
    await restore.restore({ name: NAME, passphrase, by: ANNA });
    clock.advance(3_599_000);
    assert.equal(restore.view()?.step, 'staged');
    clock.advance(1000);
    await until(() => restore.view() === undefined && restore.undone !== undefined);
    assert.match(textOf(restore.undone?.reason ?? ''), /not restarted within an hour/);
    assert.equal(log.lines.filter(({ event }) => event === 'restore.expired').length, 1);
    assert.equal(hash(), before);
    restore.requireNone();
  }));

const REJECTED: readonly {
  what: string;
  code: string;
  more?: Partial<GatewayRestoreDeps>;
  request?: { name?: string; passphrase?: string };
  damage?: (path: string) => void;
}[] = [
  { what: 'a wrong passphrase', code: 'BACKUP_PASSPHRASE', request: { passphrase: 'another passphrase' } },
  { what: 'a missing passphrase', code: 'BACKUP_PASSPHRASE', request: { passphrase: '' } },
  {
    what: 'a changed byte',
    code: 'BACKUP_DAMAGED',
    damage(path) {
      const bytes = readFileSync(path);
      bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
  },
  {
    what: 'a truncated file',
    code: 'BACKUP_DAMAGED',
    damage(path) {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.subarray(0, bytes.length - 1));
    },
  },
  { what: 'a newer schema version', code: 'BACKUP_NEWER', more: { schemaVersion: 4 } },
  { what: 'a full disk', code: 'STORE_FULL', more: { minFreeBytes: 2 ** 52 } },
  {
    what: 'an unknown name',
    code: 'NOT_FOUND',
    request: { name: 'cartwright-other-20260101T000000Z.cwbackup' },
  },
  { what: 'a moving cart', code: 'NOT_IDLE', more: { isIdle: () => false } },
  { what: 'a scheduled restore of the database', code: 'CONFLICT', more: { isDatabaseChosen: () => true } },
];
for (const { what, code, more, request, damage } of REJECTED)
  test(`rejects a restore because of ${what}, and changes nothing`, () =>
    withBackup(async ({ path, open, hash }) => {
      damage?.(path);
      const before = hash();
      const restore = await open(more);
      await assert.rejects(
        restore.restore({ name: NAME, passphrase, by: ANNA, ...request }),
        hasErrorCode(code),
      );
      assert.equal(hash(), before);
      assert.equal(restore.view(), undefined);
    }));

test('rejects a restore if the cart starts to move while the backup is unpacked', () =>
  withBackup(async ({ open, hash }) => {
    let asked = 0;
    const isIdle = (): boolean => {
      asked += 1;
      return asked === 1;
    };
    const restore = await open({ isIdle });
    const before = hash();
    await assert.rejects(restore.restore({ name: NAME, passphrase, by: ANNA }), hasErrorCode('NOT_IDLE'));
    assert.equal(hash(), before);
  }));

test('rejects a second restore until the first is confirmed or cancelled', () =>
  withBackup(async ({ open, hash }) => {
    const before = hash();
    const restore = await open();
    const first = restore.restore({ name: NAME, passphrase, by: ANNA });
    await assert.rejects(restore.restore({ name: NAME, passphrase, by: ANNA }), hasErrorCode('BUSY'));
    await first;
    assert.throws(() => restore.requireNone(), hasErrorCode('CONFLICT'));
    await assert.rejects(restore.restore({ name: NAME, passphrase, by: ANNA }), hasErrorCode('CONFLICT'));
    await assert.rejects(restore.confirm(ANNA), hasErrorCode('CONFLICT'));
    assert.equal(await restore.cancel(ANNA), false);
    restore.requireNone();
    assert.equal(hash(), before);
  }));

test('rejects a restore if a restore of the database is scheduled while the backup is unpacked', () =>
  withBackup(async ({ open, hash }) => {
    let asked = 0;
    const isDatabaseChosen = (): boolean => {
      asked += 1;
      return asked > 1;
    };
    const restore = await open({ isDatabaseChosen });
    const before = hash();
    await assert.rejects(restore.restore({ name: NAME, passphrase, by: ANNA }), hasErrorCode('CONFLICT'));
    assert.equal(hash(), before);
  }));

test('a restart is possible only while a restore is requested and the cart is idle', () =>
  withBackup(async ({ open, log }) => {
    let isIdle = true;
    const restore = await open({ isIdle: () => isIdle });
    assert.equal(restore.canRestart(), false);
    await restore.restore({ name: NAME, passphrase, by: ANNA });
    assert.equal(restore.canRestart(), true);
    isIdle = false;
    assert.equal(restore.canRestart(), false);
    assert.ok(log.events().includes('restore.restart_skipped'));
    assert.equal(restore.view()?.step, 'staged');
    isIdle = true;
    await restore.cancel(ANNA);
    assert.equal(restore.canRestart(), false);
  }));

test('a restore can be confirmed when the gateway has been ready for 60 s without interruption', () =>
  withBackup(async (harness) => {
    const { dir, clock, events, log } = harness;
    let isReady = true;
    const restore = await onTrialIn(harness, { isReady: () => isReady });
    const early = async (seconds: number): Promise<void> => {
      assert.equal(restore.view()?.confirmableInS, seconds);
      await assert.rejects(restore.confirm(ANNA), (error: unknown) => {
        assert.ok(error instanceof GatewayError);
        assert.deepEqual([error.code, error.info.retryAfterS], ['CONFLICT', seconds]);
        return true;
      });
    };
    await early(60);
    clock.advance(59_000);
    await early(1);
    isReady = false;
    clock.advance(1000);
    isReady = true;
    await early(60);
    const confirmable = log.next('restore.confirmable');
    clock.advance(60_000);
    await confirmable;
    assert.deepEqual([restore.view()?.step, restore.view()?.confirmableInS], ['waiting', 0]);
    const { folder } = new RestoreFiles(dir);
    assert.equal(existsSync(folder), true);
    await restore.confirm(ANNA);
    assert.equal(existsSync(folder), false);
    assert.equal(restore.view(), undefined);
    await assert.rejects(restore.confirm(ANNA), hasErrorCode('NOT_FOUND'));
    assert.deepEqual(events, [
      ['restore.started', 'anna'],
      ['restore.confirmed', 'anna'],
    ]);
    assert.equal(clock.timers, 0);
  }));

test('a journal that cannot be written is logged once, and a repeated confirmation is recorded once', () =>
  withBackup(async (harness) => {
    const { dir, clock, events, log } = harness;
    const { journal } = new RestoreFiles(dir);
    const restore = await onTrialIn(harness);
    const block = (): void => {
      rmSync(journal);
      mkdirSync(join(journal, 'blocked'), { recursive: true });
    };
    const isDone = (): boolean => {
      try {
        restore.requireNone();
        return true;
      } catch (error) {
        return error instanceof GatewayError && error.code === 'CONFLICT';
      }
    };
    block();
    const failed = log.next('restore.journal_failed');
    clock.advance(60_000);
    await failed;
    await until(isDone);
    clock.advance(1000);
    await until(isDone);
    rmSync(journal, { recursive: true });
    const confirmable = log.next('restore.confirmable');
    clock.advance(1000);
    await confirmable;
    assert.equal(log.events().filter((event) => event === 'restore.journal_failed').length, 1);
    block();
    await assert.rejects(restore.confirm(ANNA), hasErrorCode('STORE_FAILED'));
    rmSync(journal, { recursive: true });
    await restore.confirm(ANNA);
    assert.deepEqual(events, [
      ['restore.started', 'anna'],
      ['restore.confirmed', 'anna'],
    ]);
  }));

test('the database is backed up once at the first start of the trial, and once after the restore is undone', () =>
  withBackup(async (harness) => {
    const { dir, events, open } = harness;
    const backups: string[] = [];
    const backUpDatabase = async (): Promise<void> => void backups.push(events.at(-1)?.[0] ?? '');
    (await onTrialIn(harness, { backUpDatabase })).close();
    const restore = await open({ backUpDatabase });
    assert.deepEqual(backups, ['restore.started']);
    await restore.cancel(ANNA);
    const files = new RestoreFiles(dir);
    files.write({ ...(files.read() as RestoreJournal), step: 'returned', isRecorded: false });
    await open({ backUpDatabase });
    await open({ backUpDatabase });
    assert.deepEqual(backups, ['restore.started', 'restore.undone']);
  }));

test('a failed backup of the database does not prevent the start of the trial', () =>
  withBackup(async (harness) => {
    const failed = harness.log.next('restore.database_backup_failed');
    const backUpDatabase = () => Promise.reject(new GatewayError('STORE_FULL', 'the disk is full'));
    const restore = await onTrialIn(harness, { backUpDatabase });
    await failed;
    assert.equal(restore.view()?.step, 'trial');
  }));

test('a restore can also be confirmed at later starts, and the start of the trial is recorded once', () =>
  withBackup(async (harness) => {
    const { clock, events, log, open } = harness;
    const restore = await onTrialIn(harness);
    const confirmable = log.next('restore.confirmable');
    clock.advance(60_000);
    await confirmable;
    restore.close();
    const next = await open();
    assert.equal(next.view()?.step, 'waiting');
    assert.deepEqual(events, [['restore.started', 'anna']]);
  }));

test('undoing a restore is durable before the gateway restarts, and is recorded at the next start', () =>
  withBackup(async (harness) => {
    const { dir, clock, events, open } = harness;
    const restore = await onTrialIn(harness);
    assert.equal(await restore.cancel(userActor('bob')), true);
    const files = new RestoreFiles(dir);
    const journal = files.read() as RestoreJournal;
    assert.deepEqual(
      [journal.step, journal.reason, restore.view()?.step],
      ['returning', 'requested', 'returning'],
    );
    clock.advance(120_000);
    assert.equal(files.read()?.step, 'returning');
    files.write({ ...journal, step: 'returned', isRecorded: false });
    const next = await open();
    assert.equal(next.view(), undefined);
    assert.equal(String(next.undone?.reason), 'an administrator requested it');
    assert.deepEqual(events, [
      ['restore.started', 'anna'],
      ['restore.undone', 'bob'],
    ]);
    assert.equal(existsSync(files.folder), false);
  }));

test('the gateway starts even if the history cannot be written, and records the undone restore at the next start', () =>
  withBackup(async (harness) => {
    const { dir, open, events, log } = harness;
    const files = new RestoreFiles(dir);
    files.write({ ...stagedJournal({ name: NAME, by: ANNA, at: 1, groups: [] }), step: 'returned' });
    const full = async (): Promise<void> => {
      throw new GatewayError('STORE_FULL', 'the disk is full');
    };
    const restore = await open({ record: full });
    assert.equal(restore.view(), undefined);
    assert.ok(log.events().includes('restore.journal_failed'));
    await open();
    assert.deepEqual(events, [['restore.undone', 'anna']]);
    await until(() => !existsSync(files.folder));
  }));

test.run();

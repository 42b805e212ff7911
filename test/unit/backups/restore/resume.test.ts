import assert from 'node:assert/strict';
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
import { type DiskOperations, diskOperations, RestoreFiles } from '../../../../src/backups/restore/files.js';
import {
  confirmed,
  type RestoreJournal,
  returning,
  stagedJournal,
  waiting,
} from '../../../../src/backups/restore/machine.js';
import { Interrupted, resumeRestore } from '../../../../src/backups/restore/resume.js';
import { userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { RestorableDatabase } from '../../../../src/shared/ports/gateway-restore.js';
import { randomFrom, rounds, testSeed } from '../../../helpers/random.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const NAME = 'cartwright-test-20260101T000000Z.cwbackup';
const REQUEST = { name: NAME, by: userActor('anna'), at: 1, groups: ['photos'] as const };

/** Files that a restore keeps. */
const KEPT = { 'estop.json': 'latched', 'gateway.lock': '', 'gateway-backups/a.cwbackup': 'archive' };
const OLD = {
  'cartwright.db': 'old database',
  'cartwright.db-wal': 'old log',
  'commit-number': 'number',
  'revocations.journal': 'old revocations',
  'variables.json': 'old settings',
  generation: '3\n',
  'variables.json.bak': 'older settings',
  'plan/plan.json': 'old plan',
  'plan/picture-1': 'old picture',
  'photos/20260101-000000-000.jpg': 'old photo',
  'tls/ca.pem': 'old CA, not in the backup',
};
const BACKUP = {
  'cartwright.db': 'new database',
  'variables.json': 'new settings',
  generation: '7\n',
  'plan/plan.json': 'new plan',
  'settings-history/00000001.json': 'new history',
  'photos/20250101-000000-000.jpg': 'new photo',
};
const NEW = {
  ...BACKUP,
  'commit-number': 'number',
  'revocations.journal': 'old revocations, restored',
  'restored.json': NAME,
  generation: '8\n',
  'tls/ca.pem': 'old CA, not in the backup',
};

type Contents = Readonly<Record<string, string>>;

function writeAll(dir: string, contents: Contents): void {
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

/** The content of all files, except those of the restore itself. */
function read(dir: string): Contents {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => !path.startsWith('restore/') && statSync(join(dir, path)).isFile());
  return Object.fromEntries(files.toSorted().map((path) => [path, readFileSync(join(dir, path), 'utf8')]));
}

function sorted(contents: Contents): Contents {
  return Object.fromEntries(Object.entries(contents).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const OLD_STATE = sorted({ ...KEPT, ...OLD });
const NEW_STATE = sorted({ ...KEPT, ...NEW });
/** The name of the database that a return keeps. */
const UNDONE = 'cartwright.db.undone-19700101T000000Z';
const RETURNED_STATE = sorted({
  ...OLD_STATE,
  [UNDONE]: 'new database',
  'restored.json': 'restore/previous',
});

function databaseOn(disk: DiskOperations): RestorableDatabase {
  return {
    revocations: 'revocations.journal',
    database: 'cartwright.db',
    operationsIn: () => 12,
    freeReserve: () => undefined,
    prepare({ dir, prepared, name }) {
      disk.write(join(prepared, 'commit-number'), readFileSync(join(dir, 'commit-number'), 'utf8'));
      const journal = readFileSync(join(dir, 'revocations.journal'), 'utf8');
      disk.write(join(prepared, 'revocations.journal'), `${journal}, restored`);
      disk.write(join(prepared, 'restored.json'), name);
      const paths = ['cartwright.db-wal', 'cartwright.db-shm', 'commit-number', 'restored.json'];
      return { paths: [...paths, 'revocations.journal'], lastRevocation: 7 };
    },
    recordReturn: ({ dir, from }) => disk.write(join(dir, 'restored.json'), from),
    keepRevocations({ from, into, after }) {
      assert.equal(after, 7);
      if (!existsSync(from) || !existsSync(into)) return;
      const added = / \+revoked$/.exec(readFileSync(from, 'utf8'))?.[0];
      const text = readFileSync(into, 'utf8');
      if (added !== undefined && !text.endsWith(added)) disk.write(into, text + added);
    },
  };
}

/** A kill does not lose what the kernel has, so these tests need no fsync. */
const fastDisk: DiskOperations = {
  ...diskOperations,
  sync: (path) => void statSync(path),
  write: writeFileSync,
};

/** Ends the process, as seen by the disk, at an operation: before it, halfway through a write, or after it. */
function killedAt(
  operation: number,
  when: 'before' | 'halfway' | 'after',
): DiskOperations & { count: number } {
  const disk = { count: 0 } as DiskOperations & { count: number };
  const interrupt = (run: () => void, half: () => void): void => {
    disk.count += 1;
    if (disk.count < operation) return run();
    if (disk.count === operation && when === 'after') run();
    if (disk.count === operation && when === 'halfway') half();
    throw new Interrupted();
  };
  const nothing = (): void => undefined;
  const { rename, sync, write, makeFolder, remove } = fastDisk;
  disk.rename = (from, to) => interrupt(() => rename(from, to), nothing);
  disk.sync = (path) => interrupt(() => sync(path), nothing);
  disk.write = (path, text) =>
    interrupt(
      () => write(path, text),
      () => writeFileSync(path, text.slice(0, text.length / 2)),
    );
  disk.makeFolder = (path) => interrupt(() => makeFolder(path), nothing);
  disk.remove = (path) => interrupt(() => remove(path), nothing);
  return disk;
}

interface Directory {
  dir: string;
  files: RestoreFiles;
  start(disk?: DiskOperations): boolean;
  /** Starts with a kill at the operation; returns false if the start ended before the operation. */
  startKilled(operation: number, when: 'before' | 'halfway' | 'after'): boolean;
  journal(): RestoreJournal | undefined;
}

function withDirectory(run: (directory: Directory) => void, backup: Contents = BACKUP): void {
  const dir = mkdtempSync(join(tmpdir(), 'restore-'));
  try {
    writeAll(dir, { ...KEPT, ...OLD });
    const files = new RestoreFiles(dir, fastDisk);
    writeAll(files.staged, backup);
    files.write(stagedJournal(REQUEST));
    const start = (disk = fastDisk): boolean =>
      resumeRestore({ dir, database: databaseOn(disk), log: new RecordingLog(), disk });
    const startKilled: Directory['startKilled'] = (operation, when) => {
      try {
        start(killedAt(operation, when));
        return false;
      } catch (error) {
        assert.ok(error instanceof Interrupted, String(error));
        return true;
      }
    };
    run({ dir, files, start, startKilled, journal: () => files.read() });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const MOMENTS = ['before', 'halfway', 'after'] as const;

interface KilledDirectory extends Omit<Directory, 'startKilled'> {
  /** Starts with a kill. */
  kill(): void;
  /** When the start is killed, for messages. */
  moment: string;
}

/** Runs a case with a kill at each operation of a start in turn. Returns the number of operations. */
function killedAtEach(run: (directory: KilledDirectory) => void): number {
  let operation = 0;
  for (let isKilled = true; isKilled; ) {
    operation += 1;
    for (const when of MOMENTS) {
      withDirectory(({ startKilled, ...directory }) => {
        const kill = (): void => {
          isKilled = startKilled(operation, when);
        };
        run({ ...directory, kill, moment: `${when} operation ${operation}` });
      });
    }
  }
  return operation;
}

test('replaces the listed paths, keeps the others, and starts the trial', () =>
  withDirectory(({ dir, start, journal }) => {
    assert.equal(start(), true);
    assert.deepEqual(read(dir), NEW_STATE);
    assert.equal(journal()?.step, 'trial');
  }));

// Fault case 77
test('a start that is killed during any operation of the switch is completed by the next start', () => {
  const operations = killedAtEach(({ dir, start, kill, journal, moment }) => {
    kill();
    start();
    assert.deepEqual(read(dir), NEW_STATE, moment);
    assert.equal(journal()?.step, 'trial');
  });
  assert.ok(operations > 50, `${operations} operations`);
});

// Fault case 77
test('a start that is killed during any operation that undoes a restore is completed by the next start', () => {
  const operations = killedAtEach(({ dir, files, start, kill, journal, moment }) => {
    start();
    writeAll(dir, {
      'cartwright.db-wal': 'written in the trial',
      'cartwright.db-shm': 'created in the trial',
      'variables.json.trial': 'too',
    });
    files.write(returning(journal() as RestoreJournal, 'requested'));
    kill();
    start();
    const kept = { [`${UNDONE}-wal`]: 'written in the trial' };
    assert.deepEqual(read(dir), sorted({ ...RETURNED_STATE, ...kept }), moment);
    assert.equal(journal()?.step, 'returned');
    assert.equal(existsSync(files.previous), false);
  });
  assert.ok(operations > 50, `${operations} operations`);
});

test('a deletion of the previous files that is killed during any operation is completed by the next start', () => {
  killedAtEach(({ dir, files, start, kill, journal, moment }) => {
    start();
    files.write(confirmed(waiting(journal() as RestoreJournal)));
    kill();
    start();
    assert.deepEqual(read(dir), NEW_STATE, moment);
    assert.equal(existsSync(files.folder), false);
  });
});

test('the gateway has either the old or the new state after kills at random operations, never a mix of both', () => {
  const random = randomFrom(testSeed());
  const ends: Record<string, number> = {};
  for (let round = 0; round < rounds(300, 5000); round += 1) {
    withDirectory(({ dir, start, startKilled, journal }) => {
      for (let kills = Math.floor(random() * 6); kills > 0; kills -= 1) {
        startKilled(1 + Math.floor(random() * 120), MOMENTS[Math.floor(random() * 3)] ?? 'before');
      }
      start();
      const { step = '', reason } = journal() ?? {};
      const returned = reason === 'not-ready' ? RETURNED_STATE : OLD_STATE;
      ends[step] = (ends[step] ?? 0) + 1;
      assert.deepEqual(read(dir), step === 'returned' ? returned : NEW_STATE, `round ${round}: ${step}`);
      assert.ok(step === 'trial' || step === 'returned', step);
    });
  }
  assert.ok(ends.trial && ends.returned, JSON.stringify(ends));
});

test('returns to the previous state at the third start if the gateway was never ready for long enough', () =>
  withDirectory(({ dir, start, journal }) => {
    start();
    start();
    assert.deepEqual([journal()?.step, read(dir)], ['trial', NEW_STATE]);
    start();
    assert.deepEqual(
      [journal()?.step, journal()?.reason, read(dir)],
      ['returned', 'not-ready', RETURNED_STATE],
    );
  }));

test('a restore that is waiting for confirmation is not undone automatically', () =>
  withDirectory(({ dir, files, start, journal }) => {
    start();
    files.write(waiting(journal() as RestoreJournal));
    for (let starts = 0; starts < 5; starts += 1) start();
    assert.deepEqual([journal()?.step, read(dir)], ['waiting', NEW_STATE]);
  }));

test('abandons a restore that was interrupted twice before it replaced any file', () =>
  withDirectory(({ dir, start, startKilled, journal }) => {
    for (let kills = 0; kills < 2; kills += 1) assert.ok(startKilled(12, 'before'));
    assert.equal(journal()?.step, 'staged');
    start();
    assert.deepEqual([journal()?.step, journal()?.reason, read(dir)], ['returned', 'interrupted', OLD_STATE]);
  }));

test('undoing a restore keeps the revocations of the restored gateway', () =>
  withDirectory(({ dir, files, start, journal }) => {
    start();
    writeAll(dir, { 'revocations.journal': `${NEW['revocations.journal']} +revoked` });
    files.write(returning(journal() as RestoreJournal, 'requested'));
    start();
    assert.equal(read(dir)['revocations.journal'], 'old revocations +revoked');
  }));

for (const path of [
  'estop.json',
  'site-plan.json',
  'gateway.lock',
  'restore/journal.json',
  'gateway-backups/a.cwbackup',
  'stray',
])
  test(`rejects a backup that contains ${path}, and changes nothing`, () =>
    withDirectory(
      ({ dir, start, journal }) => {
        assert.equal(start(), false);
        assert.deepEqual(read(dir), OLD_STATE);
        assert.deepEqual([journal()?.step, journal()?.reason], ['returned', 'failed']);
      },
      { ...BACKUP, [path]: 'released' },
    ));

test('returns to the previous state if a file cannot be replaced', () =>
  withDirectory(({ dir, files, journal }) => {
    let moves = 0;
    const disk: DiskOperations = {
      ...diskOperations,
      rename(from, to) {
        if (to.startsWith(join(dir, 'plan'))) moves += 1;
        if (moves === 1 && to.startsWith(join(dir, 'plan')))
          throw Object.assign(new Error('i/o error'), { errno: -5, code: 'EIO' });
        diskOperations.rename(from, to);
      },
    };
    resumeRestore({ dir, database: databaseOn(disk), log: new RecordingLog(), disk });
    assert.deepEqual(read(dir), OLD_STATE);
    assert.deepEqual([journal()?.step, journal()?.reason], ['returned', 'failed']);
    assert.match(String(journal()?.detail), /EIO/);
    assert.equal(existsSync(files.staged), false);
  }));

test('starts with the current files if the disk is read-only before any file has been replaced', () =>
  withDirectory(({ dir, start, journal }) => {
    start(readOnly());
    assert.deepEqual([journal()?.step, journal()?.starts, read(dir)], ['staged', 0, OLD_STATE]);
  }));

test('refuses to start if the disk is read-only while some files have been replaced', () =>
  withDirectory(({ start, startKilled, journal }) => {
    let operation = 30;
    for (; journal()?.step !== 'switching'; operation += 1) startKilled(operation, 'after');
    assert.throws(
      () => start(readOnly()),
      (error: unknown) => {
        assert.ok(error instanceof GatewayError);
        assert.equal(error.code, 'DATA_DIR_UNUSABLE');
        return true;
      },
    );
  }));

test('removes the files of a restore whose request was never completed', () =>
  withDirectory(({ dir, files, start }) => {
    rmSync(files.journal);
    start();
    assert.equal(existsSync(files.folder), false);
    assert.deepEqual(read(dir), OLD_STATE);
  }));

function readOnly(): DiskOperations {
  const refuse = (): never => {
    throw Object.assign(new Error('read-only file system'), { errno: -30, code: 'EROFS' });
  };
  return { rename: refuse, sync: refuse, write: refuse, makeFolder: refuse, remove: refuse };
}

test('undoing a restore keeps the databases of the two latest undone restores', () => {
  const dir = mkdtempSync(join(tmpdir(), 'undone-'));
  try {
    const files = new RestoreFiles(dir);
    for (let at = 0; at < 4; at += 1) {
      mkdirSync(files.discarded, { recursive: true });
      for (const end of ['', '-wal']) writeFileSync(join(files.discarded, `cartwright.db${end}`), `${at}`);
      files.keepDiscarded('cartwright.db', at * 1000);
      files.clean();
    }
    assert.deepEqual(
      readdirSync(dir)
        .filter((name) => name.startsWith('cartwright.db'))
        .toSorted(),
      ['2', '3'].flatMap((second) =>
        ['', '-wal'].map((end) => `cartwright.db.undone-19700101T00000${second}Z${end}`),
      ),
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test.run();

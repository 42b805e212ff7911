import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { Clock } from '../../../../src/shared/ports/clock.js';
import type { Store } from '../../../../src/shared/ports/store.js';
import { openBackupManager } from '../../../../src/store/backup/backup-manager.js';
import { openPlain } from '../../../../src/store/connection.js';
import { STORE_LIMITS } from '../../../../src/store/limits.js';
import { storePaths } from '../../../../src/store/paths.js';
import { CommitFile, readMark } from '../../../../src/store/recovery/commit-file.js';
import { openReadOnlyStore } from '../../../../src/store/recovery/read-only.js';
import { openStore } from '../../../../src/store/store.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { count, hasErrorCode, insert, type TempStore, WRITER, withTempStore } from '../temp-store.js';
import { crashImage, FRAME_BYTES, flipByte, WAL_HEADER_BYTES } from './crash-image.js';

type Use = (image: CrashedStore) => Promise<void>;

interface CrashedStore {
  dir: string;
  wal: string;
  log: RecordingLog;
  clock: Clock;
  open(): Promise<Store>;
}

/** Runs `use` on the files that a kill leaves after `fill`. */
function afterCrash(fill: (store: Store) => Promise<void>, use: Use): () => Promise<void> {
  return withTempStore(async (temp: TempStore) => {
    const store = await temp.open();
    await fill(store);
    const dir = crashImage(temp.dir);
    const log = new RecordingLog();
    const stores: Store[] = [];
    const open = async (): Promise<Store> => {
      for (const earlier of stores.splice(0)) await earlier.close();
      const opened = await openStore({ dir, writer: WRITER, clock: temp.clock, log });
      stores.push(opened);
      return opened;
    };
    try {
      await use({ dir, wal: storePaths(dir).wal, log, clock: temp.clock, open });
    } finally {
      for (const opened of stores) await opened.close();
      rmSync(dir, { recursive: true });
    }
  });
}

/** Each row is one commit. */
async function insertOneByOne(store: Store, from: number, to: number): Promise<void> {
  for (let id = from; id < to; id += 1) await insert(store, id, id + 1);
}

const twentyRows = (store: Store): Promise<void> => insertOneByOne(store, 0, 20);

const lostOf = (store: Store) => store.status().lostWrites;
const faults = (store: Store): string => store.status().notices.map(textOf).join(' ');
const keptIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.includes('.lost-'));

// Fault case 70
test(
  'reports the exact number of lost writes when a byte of the log is flipped',
  afterCrash(twentyRows, async ({ wal, log, open }) => {
    flipByte(wal, Math.floor(statSync(wal).size / 2));
    const store = await open();
    const rows = count(store);
    assert.ok(rows > 0 && rows < 20, `${rows} rows`);
    assert.equal(lostOf(store)?.count, 20 - rows);
    assert.match(
      faults(store),
      new RegExp(`missing from the database: ${20 - rows} \\(STORE_LOST_WRITES\\)`),
    );
    assert.ok(log.events().includes('store.writes_lost'));
  }),
);

test(
  'reports all writes of a new database as lost when the first frame of the log is damaged',
  afterCrash(twentyRows, async ({ wal, open }) => {
    flipByte(wal, WAL_HEADER_BYTES + 24 + 100);
    const store = await open();
    assert.equal(lostOf(store)?.count, 20);
  }),
);

test(
  'keeps the damaged files unchanged when writes were lost',
  afterCrash(twentyRows, async ({ dir, wal, open }) => {
    flipByte(wal, -FRAME_BYTES + 100);
    const damaged = readFileSync(wal);
    const store = await open();
    const kept = lostOf(store)?.kept ?? '';
    assert.match(kept, /^cartwright\.db\.lost-\d{8}T\d{6}Z$/);
    assert.deepEqual(readFileSync(join(dir, `${kept}-wal`)), damaged);
    assert.ok(existsSync(join(dir, kept)));
    assert.match(faults(store), new RegExp(`kept as ${kept}\\.`));
  }),
);

test(
  'names the newest backup that contains lost writes, and states their number',
  afterCrash(
    async (store) => {
      await insertOneByOne(store, 0, 10);
      await store.backup();
      await insertOneByOne(store, 10, 15);
      await store.backup();
      await insertOneByOne(store, 15, 20);
    },
    async ({ dir, wal, open }) => {
      flipByte(wal, WAL_HEADER_BYTES + 24 + 100);
      const store = await open();
      const [, newest = ''] = readdirSync(join(dir, 'backups')).filter((name) => name.endsWith('.db'));
      assert.deepEqual(lostOf(store)?.backup, { name: newest, writes: 15 });
    },
  ),
);

test(
  'does not list a damaged backup as a backup that contains the lost writes',
  afterCrash(
    async (store) => {
      await insertOneByOne(store, 0, 10);
      await store.backup();
    },
    async ({ dir, wal, open }) => {
      const [name = ''] = readdirSync(join(dir, 'backups'));
      flipByte(join(dir, 'backups', name), -2000);
      flipByte(wal, WAL_HEADER_BYTES + 24 + 100);
      const store = await open();
      assert.equal(lostOf(store)?.backup, undefined);
      assert.match(faults(store), /No backup contains them\./);
    },
  ),
);

test(
  'reports the lost writes after every restart until the report is acknowledged',
  afterCrash(twentyRows, async ({ dir, wal, open }) => {
    flipByte(wal, WAL_HEADER_BYTES + 24 + 100);
    await open();
    const store = await open();
    assert.equal(lostOf(store)?.count, 20);
    assert.equal(keptIn(dir).length, 3, 'the files were kept twice');
    assert.equal((await store.acknowledgeLostWrites()).count, 20);
    assert.deepEqual([lostOf(store), faults(store)], [undefined, '']);
    await assert.rejects(store.acknowledgeLostWrites(), hasErrorCode('NOT_FOUND'));
    assert.equal(lostOf(await open()), undefined);
  }),
);

test(
  'adds a second loss to a loss that has not been acknowledged',
  afterCrash(twentyRows, async ({ dir, wal, clock, open }) => {
    flipByte(wal, WAL_HEADER_BYTES + 24 + 100);
    const store = await open();
    await store.write('test.create', {});
    await insertOneByOne(store, 0, 5);
    const second = crashImage(dir);
    await store.close();
    try {
      flipByte(storePaths(second).wal, WAL_HEADER_BYTES + 24 + 100);
      const again = await openStore({ dir: second, writer: WRITER, clock, log: new RecordingLog() });
      const found = lostOf(again);
      await again.close();
      assert.equal(found?.count, 20 + 5);
    } finally {
      rmSync(second, { recursive: true });
    }
  }),
);

test(
  'reports an unreadable report as an unknown number of lost writes',
  afterCrash(twentyRows, async ({ dir, open }) => {
    writeFileSync(storePaths(dir).lostWrites, 'half');
    const store = await open();
    assert.equal(lostOf(store)?.count, 0);
    assert.match(faults(store), /missing from the database: \? \(STORE_LOST_WRITES\)/);
  }),
);

test(
  'does not report lost writes after a crash with an intact log, even if the log ends with half a frame',
  afterCrash(twentyRows, async ({ dir, wal, open }) => {
    writeFileSync(wal, Buffer.concat([readFileSync(wal), Buffer.alloc(FRAME_BYTES / 2, 1)]));
    const store = await open();
    assert.deepEqual([count(store), lostOf(store), keptIn(dir)], [20, undefined, []]);
  }),
);

test(
  'reports all writes as lost when the database was deleted and there is no backup',
  afterCrash(twentyRows, async ({ dir, open }) => {
    for (const path of [storePaths(dir).database, storePaths(dir).wal]) rmSync(path);
    assert.equal(lostOf(await open())?.count, 20);
  }),
);

test(
  'reports the writes that are missing from a backup as lost when the backup replaces a damaged database',
  afterCrash(
    async (store) => {
      await insertOneByOne(store, 0, 10);
      await store.backup();
      await insertOneByOne(store, 10, 14);
    },
    async ({ dir, wal, open }) => {
      rmSync(wal);
      writeFileSync(storePaths(dir).database, Buffer.alloc(8192, 0xa5));
      const store = await open();
      assert.equal(count(store), 10);
      const { count: lost, kept, backup } = lostOf(store) ?? {};
      assert.deepEqual([lost, backup], [4, undefined]);
      assert.match(kept ?? '', /^cartwright\.db\.damaged-/);
    },
  ),
);

test(
  'does not report lost writes after a restore that an administrator scheduled',
  afterCrash(
    async (store) => {
      await insertOneByOne(store, 0, 10);
      await store.backup();
      await insertOneByOne(store, 10, 14);
    },
    async ({ dir, log, clock, open }) => {
      const backups = openBackupManager({ dir, clock, log });
      await backups.choose(basename(backups.list()[0]?.name ?? ''), userActor('anna'));
      const store = await open();
      assert.deepEqual([count(store), lostOf(store)], [10, undefined]);
      await insertOneByOne(store, 10, 12);
      assert.equal(lostOf(await open()), undefined);
    },
  ),
);

test(
  'uses the database without its log if a checkpoint has already copied the damaged part',
  afterCrash(
    async (store) => {
      await twentyRows(store);
    },
    async ({ dir, wal, clock, open }) => {
      // Simulates a kill between a complete checkpoint and the next write: the database and the log contain every row.
      const { database } = storePaths(dir);
      const log = readFileSync(wal);
      const other = crashImage(dir);
      const checkpointed = await openStore({
        dir: other,
        writer: WRITER,
        clock,
        log: new RecordingLog(),
      });
      await checkpointed.close();
      copyFileSync(storePaths(other).database, database);
      rmSync(other, { recursive: true });
      writeFileSync(wal, log);
      flipByte(wal, Math.floor(log.length / 2));
      const store = await open();
      assert.deepEqual([count(store), lostOf(store)], [20, undefined]);
    },
  ),
);

test(
  'reports an unknown loss when a checkpoint was interrupted and its log is damaged',
  afterCrash(twentyRows, async ({ dir, wal, open }) => {
    const { commitNumber } = storePaths(dir);
    const mark = readMark(commitNumber);
    assert.ok(mark);
    const file = new CommitFile(commitNumber);
    file.write({
      ...mark,
      operations: 0,
      checkpointFrames: (statSync(wal).size - WAL_HEADER_BYTES) / FRAME_BYTES,
    });
    file.close();
    flipByte(wal, -100);
    assert.equal(lostOf(await open())?.count, 0);
  }),
);

test(
  'does not report lost writes if another program has completed an interrupted checkpoint',
  afterCrash(twentyRows, async ({ dir, wal, open }) => {
    const { commitNumber, database } = storePaths(dir);
    const mark = readMark(commitNumber);
    assert.ok(mark);
    const file = new CommitFile(commitNumber);
    file.write({ ...mark, checkpointFrames: (statSync(wal).size - WAL_HEADER_BYTES) / FRAME_BYTES });
    file.close();
    openPlain(database, 5000).exec('PRAGMA user_version').close();
    assert.equal(existsSync(wal), false);
    const store = await open();
    assert.deepEqual([count(store), lostOf(store)], [20, undefined]);
  }),
);

test(
  'keeps the damaged files of the last three losses',
  afterCrash(twentyRows, async ({ dir, wal, open }) => {
    for (const day of ['01', '02', '03', '04']) {
      for (const end of ['', '-wal'])
        writeFileSync(join(dir, `cartwright.db.lost-202601${day}T000000Z${end}`), '');
    }
    flipByte(wal, -100);
    const store = await open();
    const sets = new Set(keptIn(dir).map((name) => name.replace(/-(wal|shm)$/, '')));
    assert.deepEqual(
      [...sets].toSorted(),
      [
        'cartwright.db.lost-20260103T000000Z',
        'cartwright.db.lost-20260104T000000Z',
        lostOf(store)?.kept ?? '',
      ].toSorted(),
    );
  }),
);

test(
  'reads the commit number from the other slot when a byte of the commit number is flipped',
  afterCrash(twentyRows, async ({ dir, open }) => {
    const { commitNumber } = storePaths(dir);
    const before = readMark(commitNumber)?.operations ?? 0;
    assert.equal(before, 20);
    flipByte(commitNumber, 15);
    flipByte(commitNumber, 4096 + 4090);
    assert.ok([before, before - 1].includes(readMark(commitNumber)?.operations ?? 0));
    assert.equal(lostOf(await open()), undefined);
  }),
);

test(
  'reports that the commit number is missing',
  afterCrash(twentyRows, async ({ dir, open }) => {
    rmSync(storePaths(dir).commitNumber);
    assert.match(faults(await open()), /^The file commit-number was missing or unreadable/);
    assert.equal(faults(await open()), '');
  }),
);

test(
  'reports that the last second is unverified after a power cut, but not after a kill',
  afterCrash(twentyRows, async ({ dir, clock, open }) => {
    const { commitNumber } = storePaths(dir);
    assert.equal((await open()).status().isLastSecondUnverified, false);
    const store = await open();
    await insertOneByOne(store, 20, 21);
    const crashed = crashImage(dir);
    await store.close();
    try {
      const mark = readMark(join(crashed, basename(commitNumber)));
      assert.ok(mark);
      const other = new CommitFile(join(crashed, basename(commitNumber)), 'f'.repeat(32));
      other.write(mark);
      other.close();
      const again = await openStore({ dir: crashed, writer: WRITER, clock, log: new RecordingLog() });
      const { isLastSecondUnverified } = again.status();
      await again.close();
      assert.equal(isLastSecondUnverified, true);
    } finally {
      rmSync(crashed, { recursive: true });
    }
  }),
);

test(
  'reports lost writes on a read-only disk without recording them there',
  afterCrash(twentyRows, async ({ dir, wal, log }) => {
    flipByte(wal, Math.floor(statSync(wal).size / 2));
    const cause = { code: 'STORE_FAILED', reason: 'the file system is read-only', hint: '' } as const;
    const store = openReadOnlyStore({ dir, cause, limits: STORE_LIMITS, log });
    const lost = lostOf(store);
    const rows = count(store);
    await store.close();
    assert.equal(lost?.count, 20 - rows);
    assert.equal(existsSync(storePaths(dir).lostWrites), false);
  }),
);

test.run();

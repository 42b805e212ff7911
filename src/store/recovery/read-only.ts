import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ReadDatabase } from '../../shared/ports/database.js';
import type { Log } from '../../shared/ports/log.js';
import type { ReplayRevocations } from '../../shared/ports/revocations.js';
import type { BackupReport, Store, StoreStatus } from '../../shared/ports/store.js';
import { runtimeDirectory } from '../../shared/process-environment.js';
import { inspectFile, listBackups } from '../backup/backups.js';
import { type Database, makeDurable, openForReading, openPlain, readDatabase } from '../connection.js';
import { type Unwritable, unwritableRefusal } from '../disk-errors.js';
import { NO_STATS } from '../health.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { MIGRATIONS } from '../migrations/index.js';
import { type StorePaths, storePaths } from '../paths.js';
import { migrate, refuseNewer, schemaVersion } from './open-database.js';
import { readRevocations } from './revocation-file.js';
import { type ReplayReport, replayRevocations, restored, revocationPosition } from './revocations.js';

interface ReadOnlyOptions {
  /** The data directory, on a file system that takes no writes. */
  dir: string;
  /** Why it takes none. */
  why: Unwritable;
  limits: StoreLimits;
  log: Log;
  /** Applies the revocation journal to an older copy. */
  replay?: ReplayRevocations;
  env?: NodeJS.ProcessEnv;
}

/** Where the card takes no writes, the directory for SQLite's temporary files often takes none either. */
const IN_MEMORY = 'temp_store = MEMORY';

/** What the disk holds, as the status tells it. */
type Found = Pick<StoreStatus, 'schemaVersion' | 'notices' | 'restoredFrom' | 'lastBackup'>;

/**
 * The store of a file system that takes no writes, or has no room to open the database: what was committed is read, and
 * every write is refused. SQLite cannot read a database with a log without writing beside it, so a copy is read. It lies in
 * `$RUNTIME_DIRECTORY`, else in the temporary directory, and has no name there any more: whatever ends this process, nothing
 * of it stays. Throws `STORE_FAILED` when there is nothing sound to read or no place for the copy, and `STORE_NEWER`.
 */
export function openReadOnlyStore(o: ReadOnlyOptions): Store {
  const { env = process.env } = o;
  try {
    const scratch = mkdtempSync(join(runtimeDirectory(env) ?? tmpdir(), 'cartwright-copy-'));
    try {
      return openCopy(o, storePaths(scratch));
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    const text = `the database in ${o.dir} cannot be opened: ${o.why.reason}, and no copy of it can be made`;
    throw new GatewayError('STORE_FAILED', `${text}: ${fileErrorReason(thrown)}`, { cause: thrown });
  }
}

function openCopy(o: ReadOnlyOptions, copy: StorePaths): Store {
  const { dir, why, limits, log } = o;
  const found = copySound(o, copy);
  let replayed: ReplayReport;
  const db = openPlain(copy.database, limits.busyTimeoutMs);
  try {
    db.pragma(IN_MEMORY);
    refuseNewer(schemaVersion(db), MIGRATIONS.length);
    makeDurable(db);
    migrate(db, MIGRATIONS, copy.dir);
    replayed = replayOn(db, o, found);
    // One file, without a log beside it: it can be read when it has no name.
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
  const reader = openForReading(copy.database);
  reader.pragma(IN_MEMORY);
  found.notices = [...found.notices, ...replayed.notices];
  log.error('store.read_only', { dir, reason: why.reason, notices: found.notices });
  for (const fields of replayed.replayed) log.warn('store.revocation_replayed', fields);
  return new ReadOnlyStore(reader, found, why);
}

/** A backup that is read in the place of the database is older than the journal, as after a restore. */
function replayOn(db: Database, { dir, replay = () => [] }: ReadOnlyOptions, found: Found): ReplayReport {
  const { entries, last } = readRevocations(storePaths(dir).revocations);
  const { restoredFrom } = found;
  if (restoredFrom !== undefined) {
    const sequence = Math.max(last, revocationPosition(db)) + 1;
    entries.push(restored(basename(restoredFrom), sequence));
  }
  return replayRevocations(db, entries, replay);
}

/** Copies the database with its log or, when that is damaged, the newest sound backup. */
function copySound(o: ReadOnlyOptions, to: StorePaths): Found {
  const from = storePaths(o.dir);
  const notices: Text[] = [];
  const backups = listBackups(from);
  const [newest] = backups;
  for (const path of [from.database, ...backups.map((backup) => backup.path)]) {
    const damage = copyAndLook(path, to, o.limits);
    if (damage === '') {
      return {
        ...{ schemaVersion: MIGRATIONS.length, notices },
        ...(path === from.database ? {} : { restoredFrom: path }),
        ...(newest ? { lastBackup: { path: newest.path, bytes: newest.bytes, at: newest.at } } : {}),
      };
    }
    notices.push(storeMessage('backup-skipped', { name: basename(path), reason: damage }));
  }
  const text = `the database in ${o.dir} cannot be opened: ${o.why.reason}, and nothing sound is on it`;
  throw new GatewayError('STORE_FAILED', `${text}: ${notices.join(' ')}`);
}

/** What is wrong with a file that was copied to the place of `to.database`; empty when it can be used. */
function copyAndLook(path: string, to: StorePaths, limits: StoreLimits): Text {
  for (const left of [to.database, to.wal, to.shm]) rmSync(left, { force: true });
  if (!existsSync(path)) return storeMessage('backup-missing');
  try {
    copyFileSync(path, to.database);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, to.wal);
  } catch (thrown) {
    // A card that fails has sectors that cannot be read any more.
    if (fileErrorCode(thrown) !== 'EIO') throw thrown;
    return messageOf(thrown);
  }
  const { damage, isEmpty } = inspectFile(to.database, limits.busyTimeoutMs, IN_MEMORY);
  return damage || (isEmpty ? storeMessage('backup-empty') : '');
}

class ReadOnlyStore implements Store {
  readonly read: ReadDatabase;
  readonly #db: Database;
  readonly #found: Found;
  readonly #why: Unwritable;
  #refusedOperations = 0;
  #isClosed = false;

  constructor(db: Database, found: Found, why: Unwritable) {
    this.read = readDatabase(db);
    this.#db = db;
    this.#found = found;
    this.#why = why;
  }

  get unwritable(): Text {
    return this.#why.reason;
  }

  async write(): Promise<never> {
    if (this.#isClosed) throw new GatewayError('STOPPING', sharedMessage('stopping'));
    this.#refusedOperations += 1;
    throw unwritableRefusal(this.#why);
  }

  status(): StoreStatus {
    return {
      ...this.#found,
      ...{ healthy: false, readOnly: true, reason: unwritableRefusal(this.#why).said },
      ...{ queueOperations: 0, queueBytes: 0, writerSilentMs: 0 },
      metrics: {
        ...{ ...NO_STATS, freeBytes: -1, refusedOperations: this.#refusedOperations },
        ...{ writerRestarts: 0, fsyncsPerWrite: 0, bytesPerWrite: 0 },
      },
    };
  }

  /** Nothing is ever committed. */
  onCommit(): Cancel {
    return () => {};
  }

  async backup(): Promise<BackupReport> {
    throw unwritableRefusal(this.#why);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#db.close();
  }
}

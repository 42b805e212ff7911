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
import type { BackupReport, LostWrites, Store, StoreStatus } from '../../shared/ports/store.js';
import { runtimeDirectory } from '../../shared/process-environment.js';
import { listBackups } from '../backup/backup-rotation.js';
import { inspectBackup } from '../backup/integrity.js';
import { type Database, makeDurable, openForReading, openPlain, readDatabase } from '../connection.js';
import { type Unwritable, unwritableError } from '../disk-errors.js';
import { NO_STATS } from '../health.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { MIGRATIONS } from '../migrations/index.js';
import { type StorePaths, storePaths } from '../paths.js';
import { freeBytesOf } from '../writer/write-metrics.js';
import { peekCommitNumber } from './commit-number.js';
import { lostWritesText, lostWritesWithoutRecord } from './lost-writes.js';
import { migrate, rejectNewer, schemaVersion } from './open-database.js';
import { readRestored, restoredText, restoreReport } from './restore-report.js';
import { readRevocations } from './revocation-file.js';
import { type ReplayReport, replayRevocations, restoreEntry, revocationPosition } from './revocations.js';

interface ReadOnlyOptions {
  dir: string;
  cause: Unwritable;
  limits: StoreLimits;
  log: Log;
  replay?: ReplayRevocations;
  env?: NodeJS.ProcessEnv;
}

/** Keeps SQLite's temporary files in memory, because their directory is usually on the same read-only card. */
const IN_MEMORY = 'temp_store = MEMORY';

type CopyReport = Pick<
  StoreStatus,
  'schemaVersion' | 'notices' | 'information' | 'restoredFrom' | 'restored' | 'lastBackup' | 'lostWrites'
>;

/**
 * Opens a store that reads committed data and rejects writes, for a read-only or full file system. It reads a
 * copy, because SQLite cannot read a WAL database without writing to its directory. The copy, in
 * `$RUNTIME_DIRECTORY` or the temporary directory, is unlinked while it is open, so that no file remains.
 * Throws `STORE_NEWER`, or `STORE_FAILED` if no database is usable or the copy fails.
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
    const text = `the database in ${o.dir} cannot be opened: ${o.cause.reason}, and it cannot be copied`;
    throw new GatewayError('STORE_FAILED', `${text}: ${fileErrorReason(thrown)}`, { cause: thrown });
  }
}

function openCopy(o: ReadOnlyOptions, copy: StorePaths): Store {
  const { dir, cause, limits, log } = o;
  const found = copyUsable(o, copy);
  let replayed: ReplayReport;
  const db = openPlain(copy.database, limits.busyTimeoutMs);
  try {
    db.pragma(IN_MEMORY);
    rejectNewer(schemaVersion(db), MIGRATIONS.length);
    makeDurable(db);
    migrate(db, MIGRATIONS, copy.dir);
    replayed = replayOn(db, o, found);
    // A database without a log can still be read after its file has been unlinked.
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
  const reader = openForReading(copy.database);
  reader.pragma(IN_MEMORY);
  found.notices = [...found.notices, ...replayed.changes];
  log.error('store.opened_read_only', { dir, reason: cause.reason, notices: found.notices });
  for (const fields of replayed.replayed) log.warn('store.revocation_replayed', fields);
  return new ReadOnlyStore(reader, found, { dir, cause });
}

/** Replays newer revocations. A copied backup is treated as a restore, which also ends all sessions. */
function replayOn(
  db: Database,
  { dir, replay = () => [] }: ReadOnlyOptions,
  found: CopyReport,
): ReplayReport {
  const { entries, last } = readRevocations(storePaths(dir).revocations);
  const { restoredFrom } = found;
  if (restoredFrom !== undefined) {
    const sequence = Math.max(last, revocationPosition(db)) + 1;
    entries.push(restoreEntry(basename(restoredFrom), sequence));
  }
  return replayRevocations(db, entries, replay);
}

/** Copies the database and its log or, if the database is damaged, the latest usable backup. */
function copyUsable(o: ReadOnlyOptions, to: StorePaths): CopyReport {
  const from = storePaths(o.dir);
  const notices: Text[] = [];
  const backups = listBackups(from);
  const [newest] = backups;
  for (const path of [from.database, ...backups.map((backup) => backup.path)]) {
    const { damage, lostWrites } = copyAndInspect(path, to, o.limits, from);
    if (damage === '') {
      if (lostWrites) notices.push(lostWritesText(lostWrites));
      const restored =
        path === from.database
          ? readRestored(from)
          : { name: basename(path), at: Date.now(), by: undefined, kept: '' };
      return {
        information: restored ? [restoredText(restored)] : [],
        ...(restored ? { restored: restoreReport(restored) } : {}),
        ...(lostWrites ? { lostWrites } : {}),
        schemaVersion: MIGRATIONS.length,
        notices,
        ...(path === from.database ? {} : { restoredFrom: path }),
        ...(newest ? { lastBackup: { path: newest.path, bytes: newest.bytes, at: newest.at } } : {}),
      };
    }
    notices.push(storeMessage('backup-skipped', { name: basename(path), reason: damage }));
  }
  const text = `the database in ${o.dir} cannot be opened: ${o.cause.reason}, and there is no usable backup`;
  throw new GatewayError('STORE_FAILED', `${text}: ${notices.join(' ')}`);
}

interface CopyState {
  /** Why the copy is unusable; empty if it is usable. */
  damage: Text;
  lostWrites?: LostWrites | undefined;
}

function copyAndInspect(path: string, to: StorePaths, limits: StoreLimits, from: StorePaths): CopyState {
  for (const old of [to.database, to.wal, to.shm]) rmSync(old, { force: true });
  if (!existsSync(path)) return { damage: storeMessage('backup-missing') };
  try {
    copyFileSync(path, to.database);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, to.wal);
  } catch (thrown) {
    // A failing card may have unreadable sectors.
    if (fileErrorCode(thrown) !== 'EIO') throw thrown;
    return { damage: messageOf(thrown) };
  }
  const found = peekCommitNumber(to.database);
  const { damage, isEmpty } = inspectBackup(path, limits.busyTimeoutMs, to.database, IN_MEMORY);
  if (damage || isEmpty) return { damage: damage || storeMessage('backup-empty') };
  return { damage: '', lostWrites: found && lostWritesWithoutRecord(from, limits, found) };
}

class ReadOnlyStore implements Store {
  readonly read: ReadDatabase;
  readonly #db: Database;
  readonly #report: CopyReport;
  readonly #dir: string;
  readonly #cause: Unwritable;
  #refusedOperations = 0;
  #isClosed = false;

  constructor(db: Database, report: CopyReport, { dir, cause }: Pick<ReadOnlyOptions, 'dir' | 'cause'>) {
    this.read = readDatabase(db);
    this.#db = db;
    this.#report = report;
    this.#dir = dir;
    this.#cause = cause;
  }

  get wasReplaced(): boolean {
    return this.#report.restoredFrom !== undefined;
  }

  get unwritableReason(): Text {
    return this.#cause.reason;
  }

  async write(): Promise<never> {
    if (this.#isClosed) throw new GatewayError('STOPPING', sharedMessage('stopping'));
    this.#refusedOperations += 1;
    throw unwritableError(this.#cause);
  }

  status(): StoreStatus {
    return {
      ...this.#report,
      healthy: false,
      readOnly: true,
      reason: unwritableError(this.#cause).text,
      queueOperations: 0,
      queueBytes: 0,
      writerSilentMs: 0,
      metrics: {
        ...NO_STATS,
        freeBytes: freeBytesOf(this.#dir),
        refusedOperations: this.#refusedOperations,
        writerRestarts: 0,
        fsyncsPerWrite: 0,
        bytesPerWrite: 0,
      },
    };
  }

  onCommit(): Cancel {
    return () => {};
  }

  onBackupFailed(): Cancel {
    return () => {};
  }

  async backup(): Promise<BackupReport> {
    throw unwritableError(this.#cause);
  }

  async acknowledgeLostWrites(): Promise<never> {
    throw unwritableError(this.#cause);
  }

  async confirmRestore(): Promise<never> {
    throw unwritableError(this.#cause);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#db.close();
  }
}

import { constants, copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileErrorReason, syncPath } from '../../shared/files.js';
import { type Message, messageJson, type Text } from '../../shared/messages/message.js';
import type { LostWrites } from '../../shared/ports/store.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { listBackups } from '../backup/backup-rotation.js';
import { inspectBackup } from '../backup/integrity.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { readReport, type StorePaths, unusedSuffix, writeDurably } from '../paths.js';
import { freeBytesOf } from '../writer/write-metrics.js';
import { type CommitMark, readMark } from './commit-file.js';
import { type CommitNumber, missingOperations, peekCommitNumber } from './commit-number.js';

/** Maximum number of file sets that are kept for each reason; the oldest set is deleted. */
const MAX_KEPT = 3;

/** The report as stored. Until it is acknowledged, a second loss is added to the first. */
interface Loss extends LostWrites {
  /** The database that lost the writes, so that an interrupted start does not count them twice. */
  databaseId: string;
}

/**
 * Compares the database with the mark before SQLite opens the database for writing, and records a loss if the
 * database contains fewer operations than the mark. Keeps copies of the files first, because the next checkpoint
 * removes the damaged log. Throws file and SQLite errors, for example if the disk is full.
 */
export function recordLostWrites(paths: StorePaths, limits: StoreLimits, mark: CommitMark | undefined): void {
  if (!mark || !existsSync(paths.database)) return;
  // If there is no log, the last program that closed the database completed the checkpoint.
  const hasLog = (statSync(paths.wal, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const found = peekCommitNumber(paths.database);
  // A damaged file is replaced by `recoverDatabase`, which records what its replacement lacks.
  if (!found) return;
  // If a checkpoint was interrupted and the log is no longer complete, pages of different commits may be mixed.
  const isSame = found.databaseId === '' || found.databaseId === mark.databaseId;
  const isMixed = isSame && hasLog && mark.checkpointFrames > Math.max(0, found.logFrames);
  if (missingOperations(mark, found) === 0 && !isMixed) return;
  const kept = keepCopies(paths, limits);
  const best = mark.checkpointFrames > 0 ? found : withoutLogIfNewer(paths, found);
  recordLoss(paths, limits, { mark, found: best, isMixed, ...kept });
}

/**
 * Pages that a checkpoint has copied from the damaged part of the log are newer than the log's intact part,
 * which hides them. If the database file alone has more acknowledged operations, the log is removed.
 */
function withoutLogIfNewer({ database, wal, shm }: StorePaths, found: CommitNumber): CommitNumber {
  if (!existsSync(wal)) return found;
  const aside = `${wal}.aside`;
  renameSync(wal, aside);
  rmSync(shm, { force: true });
  const alone = peekCommitNumber(database);
  const isNewer = alone && alone.databaseId === found.databaseId && alone.operations > found.operations;
  if (isNewer) rmSync(aside);
  else renameSync(aside, wal);
  rmSync(shm, { force: true });
  return isNewer ? alone : found;
}

interface Found {
  mark: CommitMark | undefined;
  /** The commit number of the database that will be used. */
  found: CommitNumber;
  /** Name of the damaged files; empty if they could not be kept. */
  aside: string;
  /** True if an unknown number of writes were lost. */
  isMixed?: boolean;
  /** Why the files could not be kept. */
  notKept?: Text;
}

/** Does nothing if no acknowledged write is missing. Throws file errors. */
export function recordLoss(paths: StorePaths, limits: StoreLimits, found: Found): void {
  const loss = lossOf(paths, limits, found);
  if (loss) writeDurably(paths, paths.lostWrites, `${messageJson(loss)}\n`);
}

/** Returns the loss without recording it, because the disk cannot be written to. */
export function lostWritesWithoutRecord(
  paths: StorePaths,
  limits: StoreLimits,
  found: CommitNumber,
): LostWrites | undefined {
  const loss =
    lossOf(paths, limits, { mark: readMark(paths.commitNumber), found, aside: '' }) ?? readLoss(paths);
  return loss && withoutId(loss);
}

function lossOf(
  paths: StorePaths,
  limits: StoreLimits,
  { mark, found, aside, isMixed = false, notKept = '' }: Found,
): Loss | undefined {
  const count = missingOperations(mark, found);
  if (!mark || (count === 0 && !isMixed)) return undefined;
  const backup = newestWith(paths, limits, mark, found);
  const before = readLoss(paths);
  const earlier = before && before.databaseId !== mark.databaseId ? before.count : 0;
  return {
    code: 'STORE_LOST_WRITES',
    databaseId: mark.databaseId,
    at: Date.now(),
    count: earlier + count,
    kept: aside,
    ...(notKept ? { notKept } : {}),
    ...(backup ? { backup } : {}),
  };
}

/** Verifies backups, newest first, and returns the first intact one that contains lost writes. */
function newestWith(
  paths: StorePaths,
  { busyTimeoutMs }: StoreLimits,
  mark: CommitMark,
  found: CommitNumber,
): LostWrites['backup'] {
  for (const { path } of listBackups(paths)) {
    const { damage, isEmpty, commit } = inspectBackup(path, busyTimeoutMs);
    if (damage || isEmpty || commit.databaseId !== mark.databaseId) continue;
    const writes = Math.min(commit.operations, mark.operations) - found.operations;
    if (writes > 0) return { name: basename(path), writes };
  }
  return undefined;
}

/** Returns the unacknowledged loss. An unreadable report counts as a loss of an unknown number of writes. */
export function readLostWrites(paths: StorePaths): LostWrites | undefined {
  const loss = readLoss(paths);
  return loss && withoutId(loss);
}

function withoutId({ databaseId: _databaseId, ...report }: Loss): LostWrites {
  return report;
}

function readLoss({ lostWrites }: StorePaths): Loss | undefined {
  const report: Partial<Loss> | undefined = readReport(lostWrites);
  if (!report) return undefined;
  const { at, count, kept, databaseId, notKept, backup } = report;
  return {
    code: 'STORE_LOST_WRITES',
    databaseId: typeof databaseId === 'string' ? databaseId : '',
    at: typeof at === 'number' ? at : 0,
    count: typeof count === 'number' ? count : 0,
    kept: typeof kept === 'string' ? kept : '',
    ...(notKept === undefined ? {} : { notKept }),
    ...(isJsonObject(backup) ? { backup } : {}),
  };
}

/** Returns the report as one paragraph for the list of faults. */
export function lostWritesText({ count, kept, notKept, backup }: LostWrites): Message {
  const files = kept
    ? storeMessage('lost-kept', { aside: kept })
    : notKept
      ? storeMessage('lost-not-kept', { reason: notKept })
      : '';
  const where = backup
    ? storeMessage('lost-in-backup', { name: backup.name, count: backup.writes })
    : storeMessage('lost-in-no-backup');
  const number = count > 0 ? count : '?';
  return files
    ? storeMessage('lost-writes-kept', { count: number, files, where })
    : storeMessage('lost-writes', { count: number, where });
}

function keepCopies(paths: StorePaths, { minFreeBytes }: StoreLimits): Pick<Found, 'aside' | 'notKept'> {
  const { dir, database, wal, shm } = paths;
  const existing = [database, wal, shm].filter((path) => existsSync(path));
  const bytes = existing.reduce((sum, path) => sum + statSync(path).size, 0);
  const free = freeBytesOf(dir);
  if (free >= 0 && free < bytes + minFreeBytes)
    return { aside: '', notKept: storeMessage('no-space-for-copy') };
  const suffix = unusedSuffix(database, 'lost');
  const copies = existing.map((path) => `${database}${suffix}${path.slice(database.length)}`);
  try {
    for (const [index, path] of existing.entries()) {
      const copy = copies[index] ?? '';
      copyFileSync(path, copy, constants.COPYFILE_FICLONE);
      syncPath(copy);
    }
    syncPath(dir);
  } catch (error) {
    for (const copy of copies) rmSync(copy, { force: true });
    return { aside: '', notKept: fileErrorReason(error) };
  }
  const aside = basename(`${database}${suffix}`);
  removeOldSets(paths, 'lost', aside);
  return { aside };
}

/** @param newest the set that was just created, which is kept even if the clock ran backwards. */
export function removeOldSets({ dir, database }: StorePaths, why: 'lost' | 'damaged', newest: string): void {
  const start = `${basename(database)}.${why}-`;
  const names = readdirSync(dir).filter((name) => name.startsWith(start));
  const sets = [...new Set(names.map((name) => name.replace(/-(?:wal|shm)$/, '')))];
  const old = sets
    .filter((set) => set !== newest)
    .toSorted()
    .toReversed()
    .slice(MAX_KEPT - 1);
  for (const set of old) {
    for (const end of ['', '-wal', '-shm']) rmSync(join(dir, `${set}${end}`), { force: true });
  }
}

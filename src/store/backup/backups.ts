import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Revocation } from '../../shared/ports/revocations.js';
import type { BackupReport } from '../../shared/ports/store.js';
import { type Database, openPlain } from '../connection.js';
import { isDamage } from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { type StorePaths, stampOf, syncPath } from '../paths.js';
import { type CommitNumber, commitNumberOf } from '../recovery/commit-number.js';
import { revocationRows } from '../recovery/revocations.js';
import { readChoice } from './restore-choice.js';

interface Inspection {
  /** Messages from `quick_check`; empty if the file is intact. */
  damage: Text;
  /** True if the file has no tables and no version because the database was never used. */
  isEmpty: boolean;
  schemaVersion: number;
  revocations: Revocation[];
  commit: CommitNumber;
  /** Tables with invalid foreign keys, which a restore would not repair. */
  orphans: string[];
}

/** Checks the whole file (2 ms per MB, more on an SD card). Throws an SQLite error if it is unreadable. */
export function inspectFile(path: string, busyTimeoutMs: number, pragma?: string): Inspection {
  const found: Inspection = {
    damage: '',
    isEmpty: false,
    schemaVersion: 0,
    revocations: [],
    orphans: [],
    commit: { databaseId: '', operations: 0 },
  };
  const db = openPlain(path, busyTimeoutMs);
  try {
    if (pragma) db.pragma(pragma);
    const faults = db.pragma('quick_check(3)') as { quick_check: string }[];
    if (faults[0]?.quick_check !== 'ok') found.damage = faults.map((row) => row.quick_check).join('; ');
    found.schemaVersion = Number(db.pragma('user_version', { simple: true }));
    const { tables } = db
      .prepare<[], { tables: number }>('SELECT count(*) AS tables FROM sqlite_schema')
      .get() ?? {
      tables: 0,
    };
    found.isEmpty = tables === 0 && found.schemaVersion === 0;
    found.revocations = revocationRows(db);
    found.commit = commitNumberOf(db);
    const orphans = db.pragma('foreign_key_check') as { table: string }[];
    found.orphans = [...new Set(orphans.map(({ table }) => table))];
    return found;
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    return { ...found, damage: messageOf(thrown) };
  } finally {
    db.close();
  }
}

/**
 * Checks a backup and compares it with its checksum, because `quick_check` does not find a changed byte in a
 * row. Backups from earlier versions have no checksum. Throws an SQLite error if the file is unreadable.
 * @param copy a copy of the backup to check instead of the backup itself.
 */
export function inspectBackup(path: string, busyTimeoutMs: number, copy = path, pragma?: string): Inspection {
  const expected = checksumOf(path);
  const isSame = expected === undefined || expected === sha256Of(copy);
  const found = inspectFile(copy, busyTimeoutMs, pragma);
  return isSame || found.damage ? found : { ...found, damage: storeMessage('backup-changed') };
}

export const CHECKSUM = '.sha256';
const CHUNK_BYTES = 1024 * 1024;

/** Returns the hash in the file that `sha256sum --check` reads, or undefined if there is no such file. */
function checksumOf(path: string): string | undefined {
  if (!existsSync(`${path}${CHECKSUM}`)) return undefined;
  return readFileSync(`${path}${CHECKSUM}`, 'utf8').split(' ')[0] ?? '';
}

/** Writes the checksum of a file that is going to be renamed to `path`. */
export function writeChecksum(temp: string, path: string): void {
  writeFileSync(`${path}${CHECKSUM}`, `${sha256Of(temp)}  ${basename(path)}\n`, { mode: 0o600 });
  syncPath(`${path}${CHECKSUM}`);
}

function sha256Of(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const handle = openSync(path, 'r');
  try {
    for (let bytes = 1; bytes > 0; ) {
      bytes = readSync(handle, chunk);
      hash.update(chunk.subarray(0, bytes));
    }
  } finally {
    closeSync(handle);
  }
  return hash.digest('hex');
}

export interface BackupFile {
  path: string;
  bytes: number;
  at: number;
  /** Backups are ordered by this number rather than by time, because a Pi's clock may be wrong. */
  sequence: number;
}

const NAME = /^cartwright-(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;
const UNFINISHED = '.part';
/** Pages per slice. The thread can be terminated between slices. */
const SLICE_PAGES = 1000;

export function listBackups(paths: StorePaths): BackupFile[] {
  if (!existsSync(paths.backups)) return [];
  const found = readdirSync(paths.backups).flatMap((name) => {
    const [, sequence, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
    if (!sequence) return [];
    const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const path = join(paths.backups, name);
    return [{ path, bytes: statSync(path).size, at, sequence: Number(sequence) }];
  });
  return found.toSorted((a, b) => b.sequence - a.sequence);
}

/**
 * Copies a snapshot without blocking writes, verifies it, then removes the oldest backups beyond
 * `keepBackups`. Throws `STORE_FULL` or `STORE_FAILED` without changing existing backups.
 */
export async function makeBackup(
  db: Database,
  paths: StorePaths,
  limits: StoreLimits,
  wallMs: number,
): Promise<BackupReport> {
  const startedMs = performance.now();
  try {
    mkdirSync(paths.backups, { recursive: true, mode: 0o700 });
    removeUnfinished(paths);
    requireSpace(paths, limits);
    const sequence = String((listBackups(paths)[0]?.sequence ?? 0) + 1).padStart(6, '0');
    const path = join(paths.backups, `cartwright-${sequence}-${stampOf(wallMs)}.db`);
    const temp = `${path}${UNFINISHED}`;
    // Creates an empty file with mode 0600, so that other users can never access its content.
    closeSync(openSync(temp, 'wx', 0o600));
    await copySnapshot(db, temp);
    verify(temp, limits);
    syncPath(temp);
    // The checksum exists before the backup, so that no backup can lose it in a power cut.
    writeChecksum(temp, path);
    renameSync(temp, path);
    syncPath(paths.backups);
    removeOld(paths, limits);
    return { path, bytes: statSync(path).size, ms: Math.round(performance.now() - startedMs) };
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    throw new GatewayError('STORE_FAILED', `the backup failed: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

/** All slices use one read transaction; otherwise, every commit would restart the copy. */
async function copySnapshot(db: Database, path: string): Promise<void> {
  db.exec('BEGIN');
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(path, { progress: () => SLICE_PAGES });
  } finally {
    db.exec('COMMIT');
  }
}

function verify(path: string, limits: StoreLimits): void {
  // The copy is a WAL database; DELETE mode converts it to a single file.
  const { damage, isEmpty } = inspectFile(path, limits.busyTimeoutMs, 'journal_mode = DELETE');
  if (damage || isEmpty) throw new Error(`the copy is damaged: ${damage || storeMessage('backup-empty')}`);
}

function requireSpace(paths: StorePaths, limits: StoreLimits): void {
  const { bavail, bsize } = statfsSync(paths.backups);
  const files = [paths.database, paths.wal].filter((path) => existsSync(path));
  const needed = files.reduce((sum, path) => sum + statSync(path).size, 0) + limits.minFreeBytes;
  if (bavail * bsize >= needed) return;
  throw new GatewayError('STORE_FULL', 'the backup failed: there is not enough free space for a copy', {
    limit: needed,
    unit: 'bytes free',
  });
}

/** Keeps the backup that was chosen for the next start. */
function removeOld(paths: StorePaths, limits: StoreLimits): void {
  const chosen = readChoice(paths)?.name;
  for (const { path } of listBackups(paths).slice(limits.keepBackups)) {
    if (basename(path) === chosen) continue;
    rmSync(path);
    rmSync(`${path}${CHECKSUM}`, { force: true });
  }
}

function removeUnfinished(paths: StorePaths): void {
  for (const name of readdirSync(paths.backups)) {
    const isOrphan =
      name.endsWith(CHECKSUM) && !existsSync(join(paths.backups, name.slice(0, -CHECKSUM.length)));
    if (isOrphan || name.includes(UNFINISHED)) rmSync(join(paths.backups, name), { force: true });
  }
}

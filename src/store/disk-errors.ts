import { accessSync, constants, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../util/errors.js';
import { fileErrorCode, fileErrorReason } from '../util/files.js';
import { sqliteCode } from './wire-error.js';

const FREE_SOME = 'Free some space on the disk that holds the data directory.';
const READ_ONLY = 'the file system is read-only';
const REPAIR = 'Replace the card or repair its file system, then start the gateway again.';

/** Whether the file itself is wrong, so that waiting does not help. */
export function isDamage(thrown: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(thrown));
}

/** Whether the machine below the database failed, rather than the one statement: no caller's write can be kept. */
export function isDiskFault(thrown: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|NOMEM|PERM|PROTOCOL|INTERRUPT)/.test(
    sqliteCode(thrown),
  );
}

/** `STORE_FULL` or `STORE_FAILED` with a sentence that says what is wrong with the disk under `dir`. */
export function diskError(thrown: unknown, dir: string): GatewayError {
  const code = sqliteCode(thrown);
  if (code === 'SQLITE_FULL') {
    return new GatewayError('STORE_FULL', 'nothing was saved: the disk is full', {
      cause: thrown,
      hint: FREE_SOME,
      retryAfterS: 10,
    });
  }
  // Unconfirmed frames may have reached the card all the same, so that a power cut now could bring them back.
  const outcome =
    code === 'SQLITE_IOERR_FSYNC' ? 'it is not known whether this was saved' : 'nothing was saved';
  return new GatewayError('STORE_FAILED', `${outcome}: ${diskReason(thrown, dir)}`, {
    cause: thrown,
    retryAfterS: 2,
  });
}

/**
 * The free-space gate: `STORE_FULL` below `minFreeBytes`, before the last byte is gone and other programs go down as
 * well. A negative `freeBytes` is not known and passes.
 */
export function lowSpace(freeBytes: number, minFreeBytes: number): GatewayError | undefined {
  if (freeBytes < 0 || freeBytes >= minFreeBytes) return undefined;
  const text = `nothing was saved: only ${Math.floor(freeBytes / 1024)} KiB are free on the disk`;
  const limits = { limit: minFreeBytes, unit: 'bytes free' };
  return new GatewayError('STORE_FULL', text, { ...limits, hint: FREE_SOME, retryAfterS: 10 });
}

/** What is wrong with the disk under `dir` or the file on it, in words. */
export function diskReason(thrown: unknown, dir: string): string {
  const code = sqliteCode(thrown);
  // A write to a read-only file system comes back as an unspecific I/O error.
  if (isReadOnly(dir) || code.startsWith('SQLITE_READONLY')) return READ_ONLY;
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return 'another program holds the database locked';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return 'the database file is damaged; at its next start the gateway restores the newest backup';
  }
  if (code.startsWith('SQLITE_NOMEM')) return 'the machine is out of memory';
  // The index of the log is a file as well; it is made when a database is opened.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_SHMSIZE') return 'the disk is full';
  return code ? `the disk reports a fault (${code})` : fileErrorReason(thrown);
}

/** The refusal of every write to a disk that takes none. */
export function readOnlyRefusal(): GatewayError {
  return new GatewayError('STORE_FAILED', `nothing was saved: ${READ_ONLY}`, {
    hint: REPAIR,
  });
}

/**
 * Throws `STORE_FAILED` when the file system under `dir` is mounted read-only by now. To be asked after an fsync: after an
 * emergency remount ext4 says that all is well to one, and does nothing, while what is open can still be overwritten.
 */
export function refuseUnkept(dir: string): void {
  try {
    accessSync(dir, constants.W_OK);
  } catch (error) {
    if (fileErrorCode(error) !== 'EROFS') return;
    throw new GatewayError('STORE_FAILED', `it is not known whether this was saved: ${READ_ONLY}`, {
      cause: error,
      hint: REPAIR,
    });
  }
}

/**
 * Whether the file system under `dir` takes no writes. One is tried: after an error, newer kernels refuse the writes to an
 * ext4 file system without calling it read-only.
 */
export function isReadOnly(dir: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(dir, '.probe-')));
    return false;
  } catch (error) {
    return fileErrorCode(error) === 'EROFS';
  }
}

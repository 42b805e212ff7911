import { accessSync, constants, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../shared/files.js';
import { type DiskState, sqliteCode } from './writer/protocol.js';

const FREE_SOME = 'Free some space on the disk that holds the data directory.';
const FULL = 'the disk is full';
const READ_ONLY = 'the file system is read-only';
/**
 * What the latch of the emergency stop takes: a new file of a block and its entry in the directory, with room to spare for
 * file systems whose blocks are larger than 4 KiB and for what somebody else writes in the second since the last look.
 */
const LATCH_BYTES = 64 * 1024;
const REPAIR = 'Replace the card or repair its file system, then start the gateway again.';

/** Why no write can be made at all, and what helps. */
export interface Unwritable {
  code: 'STORE_FAILED' | 'STORE_FULL';
  reason: string;
  hint: string;
}

export const ON_READ_ONLY: Unwritable = { code: 'STORE_FAILED', reason: READ_ONLY, hint: REPAIR };

export const FULL_AT_START: Unwritable = {
  code: 'STORE_FULL',
  reason: 'the disk was full when the gateway started',
  hint: `${FREE_SOME} Then start the gateway again.`,
};

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

/** Whether there was no room for it. The index of the log is a file as well; it is made when a database is opened. */
export function isFull(thrown: unknown): boolean {
  return /^SQLITE_(FULL|IOERR_SHMSIZE)$/.test(sqliteCode(thrown)) || fileErrorCode(thrown) === 'ENOSPC';
}

/** `STORE_FULL` or `STORE_FAILED` with a sentence that says what is wrong with the disk under `dir`. */
export function diskError(thrown: unknown, dir: string): GatewayError {
  const code = sqliteCode(thrown);
  if (code === 'SQLITE_FULL') {
    return new GatewayError('STORE_FULL', `nothing was saved: ${FULL}`, {
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
  // In steps so large that the log, which tells every change, has few lines of it.
  const text = `nothing was saved: only ${Math.floor(freeBytes / 2 ** 20)} MiB are free on the disk`;
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
  if (isFull(thrown)) return FULL;
  return code ? `the disk reports a fault (${code})` : fileErrorReason(thrown);
}

/** The refusal of every write, where none can be made. */
export function unwritableRefusal({ code, reason, hint }: Unwritable): GatewayError {
  return new GatewayError(code, `nothing was saved: ${reason}`, { hint });
}

/** Why such a disk takes no write at all, not even that of the latch of an emergency stop; empty when it does. */
export function unwritableReason({ readOnly, freeBytes }: DiskState): string {
  if (readOnly) return READ_ONLY;
  return freeBytes >= 0 && freeBytes < LATCH_BYTES ? FULL : '';
}

/**
 * Throws `STORE_FAILED` when the file system under `dir` is mounted read-only by now. To be asked after an fsync: after an
 * emergency remount ext4 says that all is well to one, and does nothing, while what is open can still be overwritten.
 */
export function refuseUnkept(dir: string): void {
  if (!isMountedReadOnly(dir)) return;
  throw new GatewayError('STORE_FAILED', `it is not known whether this was saved: ${READ_ONLY}`, {
    hint: REPAIR,
  });
}

/** Whether the file system under `dir` is mounted so that it takes no writes. None is tried. */
export function isMountedReadOnly(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return false;
  } catch (error) {
    return fileErrorCode(error) === 'EROFS';
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

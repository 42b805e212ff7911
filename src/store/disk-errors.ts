import { accessSync, constants, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../shared/files.js';
import type { Text } from '../shared/messages/message.js';
import { storeMessage } from './messages.js';
import { type DiskState, sqliteCode } from './writer/protocol.js';

const FREE_SOME = storeMessage('space-hint');
const FULL = storeMessage('disk-full');
const READ_ONLY = storeMessage('read-only');
/**
 * What the latch of the emergency stop takes: a new file of a block and its entry in the directory, with room to spare for
 * file systems whose blocks are larger than 4 KiB and for what somebody else writes in the second since the last look.
 */
const LATCH_BYTES = 64 * 1024;
const REPAIR = storeMessage('card-hint');

/** Why no write can be made at all, and what helps. */
export interface Unwritable {
  code: 'STORE_FAILED' | 'STORE_FULL';
  reason: Text;
  hint: Text;
}

export const ON_READ_ONLY: Unwritable = { code: 'STORE_FAILED', reason: READ_ONLY, hint: REPAIR };

export const FULL_AT_START: Unwritable = {
  code: 'STORE_FULL',
  reason: storeMessage('disk-full-at-start'),
  hint: storeMessage('space-hint-restart'),
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
    return new GatewayError('STORE_FULL', storeMessage('nothing-saved', { reason: FULL }), {
      cause: thrown,
      hint: FREE_SOME,
      retryAfterS: 10,
    });
  }
  // Unconfirmed frames may have reached the card all the same, so that a power cut now could bring them back.
  const key = code === 'SQLITE_IOERR_FSYNC' ? 'not-known' : 'nothing-saved';
  return new GatewayError('STORE_FAILED', storeMessage(key, { reason: diskReason(thrown, dir) }), {
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
  const reason = storeMessage('disk-low', { mib: Math.floor(freeBytes / 2 ** 20) });
  const limits = { limit: minFreeBytes, unit: 'bytes free' };
  return new GatewayError('STORE_FULL', storeMessage('nothing-saved', { reason }), {
    ...limits,
    hint: FREE_SOME,
    retryAfterS: 10,
  });
}

/** What is wrong with the disk under `dir` or the file on it, in words. */
export function diskReason(thrown: unknown, dir: string): Text {
  const code = sqliteCode(thrown);
  // A write to a read-only file system comes back as an unspecific I/O error.
  if (isReadOnly(dir) || code.startsWith('SQLITE_READONLY')) return READ_ONLY;
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return storeMessage('locked');
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return storeMessage('damaged');
  }
  if (code.startsWith('SQLITE_NOMEM')) return storeMessage('out-of-memory');
  if (isFull(thrown)) return FULL;
  return code ? storeMessage('disk-fault', { code }) : fileErrorReason(thrown);
}

/** The refusal of every write, where none can be made. */
export function unwritableRefusal({ code, reason, hint }: Unwritable): GatewayError {
  return new GatewayError(code, storeMessage('nothing-saved', { reason }), { hint });
}

/** Why such a disk takes no write at all, not even that of the latch of an emergency stop; empty when it does. */
export function unwritableReason({ readOnly, freeBytes }: DiskState): Text {
  if (readOnly) return READ_ONLY;
  return freeBytes >= 0 && freeBytes < LATCH_BYTES ? FULL : '';
}

/**
 * Throws `STORE_FAILED` when the file system under `dir` is mounted read-only by now. To be asked after an fsync: after an
 * emergency remount ext4 says that all is well to one, and does nothing, while what is open can still be overwritten.
 */
export function refuseUnkept(dir: string): void {
  if (!isMountedReadOnly(dir)) return;
  throw new GatewayError('STORE_FAILED', storeMessage('not-known', { reason: READ_ONLY }), {
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

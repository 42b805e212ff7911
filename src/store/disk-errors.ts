import {
  accessSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '../shared/errors.js';
import { fileErrorCode, fileErrorReason, isDiskFull } from '../shared/files.js';
import type { Text } from '../shared/messages/message.js';
import { storeMessage } from './messages.js';
import type { DiskState } from './writer/protocol.js';

const SPACE_HINT = storeMessage('space-hint');
const FULL = storeMessage('disk-full');
const READ_ONLY = storeMessage('read-only');
/** Space for a latched stop, with a margin for blocks larger than 4 KiB and for other programs. */
const LATCH_BYTES = 64 * 1024;
const CARD_HINT = storeMessage('card-hint');

export interface Unwritable {
  code: 'STORE_FAILED' | 'STORE_FULL';
  reason: Text;
  hint: Text;
}

export const ON_READ_ONLY: Unwritable = { code: 'STORE_FAILED', reason: READ_ONLY, hint: CARD_HINT };

export const FULL_AT_START: Unwritable = {
  code: 'STORE_FULL',
  reason: storeMessage('disk-full-at-start'),
  hint: storeMessage('space-hint-restart'),
};

/** Returns an SQLite error's `SQLITE_…` code, or an empty string for any other error. */
function sqliteCode(thrown: unknown): string {
  if (!(thrown instanceof Error) || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' && thrown.code.startsWith('SQLITE_') ? thrown.code : '';
}

/** Returns true if the database file is damaged, in which case a retry does not help. */
export function isDamage(thrown: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(thrown));
}

/** Returns true if the disk or the system failed; the whole batch then fails. */
export function isDiskFault(thrown: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|NOMEM|PERM|PROTOCOL|INTERRUPT)/.test(
    sqliteCode(thrown),
  );
}

/** Returns true if the disk is full, which can also cause an error when the database is opened. */
export function isFull(thrown: unknown): boolean {
  return /^SQLITE_(FULL|IOERR_SHMSIZE)$/.test(sqliteCode(thrown)) || isDiskFull(thrown);
}

/** Returns the error of a write that failed before its commit was complete. */
export function diskError(thrown: unknown, dir: string): GatewayError {
  const code = sqliteCode(thrown);
  if (code === 'SQLITE_FULL') {
    return new GatewayError('STORE_FULL', storeMessage('nothing-saved', { reason: FULL }), {
      cause: thrown,
      hint: SPACE_HINT,
      retryAfterS: 10,
    });
  }
  // After a failed fsync, WAL frames may still be on the SD card and take effect after a power cut.
  if (code === 'SQLITE_IOERR_FSYNC') return unknownOutcomeError(thrown, dir);
  const text = storeMessage('nothing-saved', { reason: diskReason(thrown, dir) });
  return new GatewayError('STORE_FAILED', text, { cause: thrown, retryAfterS: 2 });
}

/**
 * Returns the error of a write that may have been saved. The code is never `STORE_FULL`, which means that nothing was
 * saved.
 */
export function unknownOutcomeError(thrown: unknown, dir: string): GatewayError {
  const text = storeMessage('not-known', { reason: diskReason(thrown, dir) });
  return new GatewayError('STORE_FAILED', text, { cause: thrown, retryAfterS: 2 });
}

/** Returns `STORE_FULL` if there is too little free space. A negative `freeBytes` means unknown. */
export function lowSpaceError(freeBytes: number, minFreeBytes: number): GatewayError | undefined {
  if (freeBytes < 0 || freeBytes >= minFreeBytes) return undefined;
  // Rounds down to whole MiB, because every change to the message is logged.
  const reason = storeMessage('disk-low', { mib: Math.floor(freeBytes / 2 ** 20) });
  const limits = { limit: minFreeBytes, unit: 'bytes free' };
  return new GatewayError('STORE_FULL', storeMessage('nothing-saved', { reason }), {
    ...limits,
    hint: SPACE_HINT,
    retryAfterS: 10,
  });
}

/** Returns the reason for a disk error, worded as a clause. */
export function diskReason(thrown: unknown, dir: string): Text {
  const code = sqliteCode(thrown);
  // Tests the file system, because a write to a read-only one fails with a generic I/O error.
  if (isReadOnly(dir) || code.startsWith('SQLITE_READONLY')) return READ_ONLY;
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return storeMessage('locked');
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return storeMessage('damaged');
  }
  if (code.startsWith('SQLITE_NOMEM')) return storeMessage('out-of-memory');
  if (isFull(thrown)) return FULL;
  return code ? storeMessage('disk-fault', { code }) : fileErrorReason(thrown);
}

export function unwritableError({ code, reason, hint }: Unwritable): GatewayError {
  return new GatewayError(code, storeMessage('nothing-saved', { reason }), { hint });
}

/** Returns why not even a latched stop can be saved; empty if it can be saved. */
export function latchUnwritableReason({ readOnly, freeBytes }: DiskState): Text {
  if (readOnly) return READ_ONLY;
  return freeBytes >= 0 && freeBytes < LATCH_BYTES ? FULL : '';
}

/**
 * Throws `STORE_FAILED` if the file system is mounted read-only. Call this after an fsync, which on ext4
 * succeeds even after a read-only remount.
 */
export function requireWritableMount(dir: string): void {
  if (!isMountedReadOnly(dir)) return;
  throw new GatewayError('STORE_FAILED', storeMessage('not-known', { reason: READ_ONLY }), {
    hint: CARD_HINT,
  });
}

export function isMountedReadOnly(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return false;
  } catch (error) {
    return fileErrorCode(error) === 'EROFS';
  }
}

/** Attempts to write one page, because SQLite reports an exceeded quota only as an I/O error. */
export function isQuotaExceeded(dir: string): boolean {
  const probe = join(dir, `.probe-${process.pid}`);
  let handle: number | undefined;
  try {
    handle = openSync(probe, 'w', 0o600);
    writeSync(handle, Buffer.alloc(4096, 1), 0, 4096, 0);
    return false;
  } catch (error) {
    return fileErrorCode(error) === 'EDQUOT';
  } finally {
    if (handle !== undefined) closeSync(handle);
    rmSync(probe, { force: true });
  }
}

/** Attempts a write, because newer kernels may reject writes to ext4 even if no mount is read-only. */
export function isReadOnly(dir: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(dir, '.probe-')));
    return false;
  } catch (error) {
    return fileErrorCode(error) === 'EROFS';
  }
}

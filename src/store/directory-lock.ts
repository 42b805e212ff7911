import { accessSync, constants, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError, messageOf } from '../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../shared/files.js';
import type { Text } from '../shared/messages/message.js';
import type { Log } from '../shared/ports/log.js';
import { type LockHandle, lockExclusively } from './connection.js';

const FILE = 'gateway.lock';
/** First byte that SQLite locks (`PENDING_BYTE`). */
const SQLITE_LOCK_START = 0x4000_0000;

interface LockOptions {
  log: Log;
  /** Replaces /proc/locks in tests. */
  locksFile?: string;
}

export interface DirectoryLock {
  release(): void;
}

/**
 * Locks a data directory, so that only one gateway uses it. Two gateways would overwrite each other's latched stop
 * and settings. Throws `DATA_DIR_IN_USE`. The lock is a POSIX lock, which the kernel releases when the process ends
 * for any reason, so a file left by an earlier process never blocks a start. SQLite takes the lock on an empty
 * file, because Node has no lock function; nothing is written or synced. If the file system does not support locks,
 * or the file cannot be created, a warning is logged, because the gateway must start even on a read-only or full
 * disk.
 */
export function lockDataDirectory(
  dir: string,
  { log, locksFile = '/proc/locks' }: LockOptions,
): DirectoryLock {
  const path = join(dir, FILE);
  const unavailable = (reason: Text): DirectoryLock => {
    log.warn('data.lock_unavailable', {
      file: path,
      reason,
      hint: 'The gateway cannot detect a second gateway that uses this data directory. Make sure that there is none.',
    });
    return { release: () => undefined };
  };
  let handle: LockHandle | undefined;
  try {
    handle = lockExclusively(path);
    // If a file is not writable, SQLite opens it read-only and takes no lock.
    if (handle) accessSync(path, constants.W_OK);
  } catch (error) {
    handle?.release();
    return unavailable(fileErrorCode(error) ? fileErrorReason(error) : messageOf(error));
  }
  if (handle) return handle;
  const pid = holderOf(path, locksFile);
  // SQLite also reports a file system without locks (ENOLCK), such as NFS without a lock service, as busy.
  if (pid === undefined && !canLock(`${path}.probe-${process.pid}`))
    return unavailable('the file system does not support locks');
  const holder = pid === undefined ? 'another gateway' : `another gateway (process ${pid})`;
  const find = pid === undefined ? '' : `, which "ps -fp ${pid}" shows`;
  throw new GatewayError('DATA_DIR_IN_USE', `the data directory ${dir} is in use by ${holder}`, {
    hint: `Stop the other gateway${find}, or set CARTWRIGHT_DATA_DIR to a different directory.`,
  });
}

/** Returns the process that holds the lock; undefined if it is in another container or on another machine. */
function holderOf(path: string, locksFile: string): number | undefined {
  try {
    const { ino } = statSync(path);
    for (const line of readFileSync(locksFile, 'utf8').split('\n')) {
      // For example `1: POSIX  ADVISORY  WRITE 15742 fe:00:2155537 1073741824 1073742335`.
      const [, , , kind, pid, file = '', start] = line.trim().split(/\s+/);
      const isSame = file.endsWith(`:${ino}`) && Number(start) >= SQLITE_LOCK_START;
      if (isSame && kind === 'WRITE' && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // Without /proc, the process is unknown.
  }
  return undefined;
}

/** Returns true if the lock of a new file succeeds, or if the file cannot be created. */
function canLock(path: string): boolean {
  try {
    const handle = lockExclusively(path);
    handle?.release();
    return handle !== undefined;
  } catch {
    return true;
  } finally {
    rmSync(path, { force: true });
  }
}

import { type FileHandle, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorCode, fileErrorReason, syncDirectory } from '../shared/files.js';
import type { Text } from '../shared/messages/message.js';
import type { Clock } from '../shared/ports/clock.js';
import {
  type BackupFile,
  backupsAmong,
  gatewayOf,
  numberOf,
  removeUnfinished,
  UNFINISHED,
} from './backup-files.js';
import { backupMessage } from './messages.js';

const MIB = 1024 * 1024;
/** Limits the data that the kernel has accepted but not yet written, because a slow stick delays other writes. */
const SYNC_BYTES = 8 * MIB;
/** Time limit for a response, because a faulty stick may never respond. */
const ANSWER_MS = 3000;

/** Number of copies of each gateway's backups that are kept. */
const KEEP_COPIES = 10;

/**
 * The USB stick for copies of the backups. The system mounts it at a fixed folder. If there is no stick, the folder
 * does not exist, or the gateway's user cannot read it.
 */
export class UsbStick {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'after'>;
  #listing: Promise<BackupFile[] | undefined> | undefined;

  constructor(folder: string, clock: Pick<Clock, 'after'>) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** The backups on the stick; undefined if there is no stick, or if it does not respond. */
  async list(): Promise<BackupFile[] | undefined> {
    // At most one request waits for a stick that does not answer, because each waiting request occupies a thread.
    this.#listing ??= readBackups(this.#folder).finally(() => {
      this.#listing = undefined;
    });
    let cancel = (): void => undefined;
    const late = new Promise<undefined>((resolve) => {
      cancel = this.#clock.after(ANSWER_MS, () => resolve(undefined));
    });
    return await Promise.race([this.#listing, late]).finally(() => cancel());
  }

  /**
   * Copies a backup to the stick and makes the copy durable. Deletes the oldest copies of this gateway's backups first,
   * because the stick may be full. Resolves with the reason for a failure: empty on success, and undefined if there is
   * no stick.
   */
  async add(path: string, name: string, signal: AbortSignal): Promise<Text | undefined> {
    const files = await this.list();
    if (!files) return undefined;
    const target = join(this.#folder, name);
    const temp = `${target}${UNFINISHED}`;
    try {
      await removeUnfinished(this.#folder);
      await this.#makeRoom(files, name, (await stat(path)).size);
      await copyDurably(path, temp, signal);
      await rename(temp, target);
      await syncDirectory(this.#folder);
      // On FAT, a rename creates a directory entry that is incomplete until the file is synced again.
      await syncFile(target);
      return '';
    } catch (error) {
      await rm(temp, { force: true }).catch(() => undefined);
      // FAT32 limits a file to 4 GiB.
      const isTooLarge = fileErrorCode(error) === 'EFBIG';
      const reason = isTooLarge ? backupMessage('usb-file-too-large') : fileErrorReason(error);
      return backupMessage('usb-not-copied', { reason });
    }
  }

  /** Keeps at least one copy until the new one is complete. */
  async #makeRoom(files: readonly BackupFile[], name: string, bytes: number): Promise<void> {
    const copies = files
      .filter((other) => other.name !== name && gatewayOf(other.name) === gatewayOf(name))
      .toSorted((a, b) => numberOf(a.name) - numberOf(b.name));
    for (const [at, { path }] of copies.entries()) {
      const left = copies.length - at;
      const { bavail, bsize } = await statfs(this.#folder);
      if (left < KEEP_COPIES && (left === 1 || bavail * bsize > bytes)) return;
      await rm(path, { force: true });
    }
  }
}

async function readBackups(folder: string): Promise<BackupFile[] | undefined> {
  try {
    return await backupsAmong(folder, await readdir(folder));
  } catch {
    return undefined;
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function copyDurably(from: string, to: string, signal: AbortSignal): Promise<void> {
  let source: FileHandle | undefined;
  let target: FileHandle | undefined;
  try {
    source = await open(from);
    target = await open(to, 'w', 0o600);
    const buffer = Buffer.allocUnsafe(MIB);
    for (let unsynced = 0; ; ) {
      signal.throwIfAborted();
      const { bytesRead } = await source.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      await target.writeFile(buffer.subarray(0, bytesRead));
      unsynced += bytesRead;
      if (unsynced < SYNC_BYTES) continue;
      await target.datasync();
      unsynced = 0;
    }
    await target.sync();
  } finally {
    await source?.close();
    await target?.close();
  }
}

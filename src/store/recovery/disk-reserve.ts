import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type StorePaths, syncPath } from '../paths.js';
import { freeBytesOf } from '../writer/write-metrics.js';

/** SQLite takes 32 KiB for the index of its log, and some pages for the log; the emergency-stop latch is a file too. */
const RESERVE_BYTES = 512 * 1024;

/** Frees the reserve on a full disk, where SQLite cannot even open the database: the gateway must start to report it. */
export function useReserve({ dir, reserve }: StorePaths): void {
  const freeBytes = freeBytesOf(dir);
  if (freeBytes >= 0 && freeBytes < RESERVE_BYTES) rmSync(reserve, { force: true });
}

/** Frees the reserve for the latch of an emergency stop, which must be saved on a full disk, too. */
export async function giveUpReserve({ reserve }: StorePaths): Promise<void> {
  await rm(reserve, { force: true });
}

/** Creates the reserve when there is space. Its bytes are random: zeros take no space on a disk that compresses. */
export function layByReserve({ dir, reserve }: StorePaths, minFreeBytes: number): void {
  if (statSync(reserve, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  if (freeBytesOf(dir) < minFreeBytes + RESERVE_BYTES) return;
  writeFileSync(reserve, randomBytes(RESERVE_BYTES), { mode: 0o600 });
  syncPath(reserve);
}

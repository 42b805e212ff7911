import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type StorePaths, syncPath } from '../paths.js';
import { freeBytesOf } from '../writer/write-metrics.js';

/** SQLite takes 32 KiB for the index of its log, and some pages for the log; the emergency-stop latch is a file too. */
const RESERVE_BYTES = 512 * 1024;

/** A database cannot even be opened on a full disk. Gives the room up for it: the gateway has to start to say so. */
export function useReserve({ dir, reserve }: StorePaths): void {
  const freeBytes = freeBytesOf(dir);
  if (freeBytes >= 0 && freeBytes < RESERVE_BYTES) rmSync(reserve, { force: true });
}

/** Gives the room up for the latch of an emergency stop, which has to be saved whatever the disk is like. */
export async function giveUpReserve({ reserve }: StorePaths): Promise<void> {
  await rm(reserve, { force: true });
}

/** Lays the room by when there is more than enough. Of random bytes: zeros take none on a disk that compresses. */
export function layByReserve({ dir, reserve }: StorePaths, minFreeBytes: number): void {
  if (statSync(reserve, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  if (freeBytesOf(dir) < minFreeBytes + RESERVE_BYTES) return;
  writeFileSync(reserve, randomBytes(RESERVE_BYTES), { mode: 0o600 });
  syncPath(reserve);
}

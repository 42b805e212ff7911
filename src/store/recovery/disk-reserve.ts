import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { syncPath } from '../../shared/files.js';
import type { StorePaths } from '../paths.js';
import { freeBytesOf } from '../writer/write-metrics.js';

/** Space for a latched stop and for SQLite, which needs 32 KiB for the log's index and a few pages. */
const RESERVE_BYTES = 512 * 1024;

/** Frees the reserved space if the disk is full, because SQLite cannot open a database on a full disk. */
export function releaseReserveIfFull({ dir, reserve }: StorePaths): void {
  const freeBytes = freeBytesOf(dir);
  if (freeBytes >= 0 && freeBytes < RESERVE_BYTES) rmSync(reserve, { force: true });
}

/** Makes space for a latched stop, which must be saved even if the disk is full. */
export async function releaseReserve({ reserve }: StorePaths): Promise<void> {
  await rm(reserve, { force: true });
}

/** Creates the reserve if there is enough space. Writes random bytes, because some file systems compress zeros. */
export function createReserve({ dir, reserve }: StorePaths, minFreeBytes: number): void {
  if (statSync(reserve, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  if (freeBytesOf(dir) < minFreeBytes + RESERVE_BYTES) return;
  writeFileSync(reserve, randomBytes(RESERVE_BYTES), { mode: 0o600 });
  syncPath(reserve);
}

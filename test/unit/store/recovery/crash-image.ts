import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Copies the data directory of an open store. The copy equals what a SIGKILL leaves behind, because the kernel
 * keeps everything that the process has written.
 */
export function crashImage(dir: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'cartwright-crash-'));
  cpSync(dir, copy, { recursive: true });
  return copy;
}

/** Flips one bit of the byte at `offset`; a negative offset counts from the end of the file. */
export function flipByte(path: string, offset: number): void {
  const bytes = readFileSync(path);
  const at = offset < 0 ? bytes.length + offset : offset;
  bytes[at] = (bytes[at] ?? 0) ^ 0x40;
  writeFileSync(path, bytes);
}

export const WAL_HEADER_BYTES = 32;
export const FRAME_BYTES = 24 + 4096;

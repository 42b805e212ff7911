import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function canMount(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-disk-'));
  const isMounted = mount(dir, 64);
  if (isMounted) spawnSync('umount', [dir]);
  rmdirSync(dir);
  return isMounted;
}

/** Runs `use` on a separate disk (tmpfs). */
export async function withDisk(sizeKiB: number, use: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-disk-'));
  if (!mount(dir, sizeKiB)) throw new Error(`no disk could be mounted on ${dir}`);
  try {
    await use(dir);
  } finally {
    spawnSync('umount', [dir]);
    rmdirSync(dir);
  }
}

function mount(dir: string, sizeKiB: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKiB}k`, 'tmpfs', dir]).status === 0;
}

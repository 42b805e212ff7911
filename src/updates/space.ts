import { lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileErrorCode, freeBytesIn } from '../shared/files.js';

const MIB = 1024 * 1024;
/** Must match `RESERVE_KB` in `systemd/update.sh`. */
const RESERVE_BYTES = 64 * MIB;
/** An installed release takes up at most five times the size of its archive, and the archive is also copied once. */
const SIZE_FACTOR = 6;
/** Parts of the data directory that an update does not copy. Must match `KEEP_OUT` in `systemd/switch.sh`. */
const NOT_COPIED =
  /^(photos|backups|gateway-backups|updates|black-box|camera-run|estop\.json.*|revocations\.journal.*)$/;

export interface UpdateSpace {
  freeBytes: number;
  neededBytes: number;
}

/**
 * Returns the space that the update service requires for an archive of this size. The update service copies the data
 * directory, except for `NOT_COPIED`. If the release and the data are on two file systems, the larger shortfall
 * counts.
 */
export async function updateSpace(
  archiveBytes: number,
  { dir, releaseDir }: { dir: string; releaseDir: string },
): Promise<UpdateSpace> {
  const copyDir = dirname(dir);
  const [release, copy] = await Promise.all([stat(releaseDir), stat(copyDir)]);
  const names = (await readdir(dir)).filter((name) => !NOT_COPIED.test(name));
  const dataBytes = sum(await Promise.all(names.map((name) => usedBytes(join(dir, name)))));
  const releaseBytes = SIZE_FACTOR * archiveBytes + RESERVE_BYTES;
  if (release.dev === copy.dev)
    return { freeBytes: freeBytesIn(releaseDir), neededBytes: releaseBytes + dataBytes };
  const spaces = [
    { freeBytes: freeBytesIn(releaseDir), neededBytes: releaseBytes },
    { freeBytes: freeBytesIn(copyDir), neededBytes: dataBytes + RESERVE_BYTES },
  ] as const;
  const lacking = ({ freeBytes, neededBytes }: UpdateSpace): number => neededBytes - freeBytes;
  return lacking(spaces[0]) > lacking(spaces[1]) ? spaces[0] : spaces[1];
}

/** The occupied blocks, as `du` counts them. A file that disappears, such as a temporary one, occupies none. */
async function usedBytes(path: string): Promise<number> {
  try {
    const found = await lstat(path);
    const names = found.isDirectory() ? await readdir(path) : [];
    const sizes = await Promise.all(names.map((name) => usedBytes(join(path, name))));
    return found.blocks * 512 + sum(sizes);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, statfsSync } from 'node:fs';
import { chmod, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { constants as osConstants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { errorText, GatewayError } from './errors.js';
import type { Text } from './messages/message.js';
import { sharedMessage } from './messages/messages.js';

interface WriteOptions {
  /** Keeps the previous content as `<path>.bak`. */
  backup?: boolean;
  /** Called before the file is replaced. If it throws, the write is cancelled. */
  beforeReplace?: () => void;
}

/** New files are private by default, because they may contain secrets. An existing file keeps its mode. */
const DEFAULT_MODE = 0o600;

let written = 0;

/**
 * Replaces a file so that a power cut leaves either the complete old or the complete new content. Rejects
 * with the file system's error, leaving the old file intact unless only the final fsync of the directory
 * failed. The backup is a copy, not a link, so that an in-place edit cannot change both.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Buffer,
  options: WriteOptions = {},
): Promise<void> {
  const mode = await modeOf(path);
  const temp = tempName(path);
  const spare = tempName(`${path}.bak`);
  try {
    await writeNew(temp, content, mode ?? DEFAULT_MODE);
    const keep = options.backup === true && mode !== undefined;
    if (keep) await writeNew(spare, await readFile(path), mode);
    options.beforeReplace?.();
    if (keep) await rename(spare, `${path}.bak`);
    await rename(temp, path);
  } catch (error) {
    await Promise.allSettled([rm(temp, { force: true }), rm(spare, { force: true })]);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Removes a file if it exists. Resolves when the removal is durable. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** Makes completed creations, renames and removals in the directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    rejectUnlessUnsupported(error);
  } finally {
    await directory.close();
  }
}

/**
 * Makes a file or a directory durable. Must not be used on an open database, because closing a handle releases the
 * process's POSIX locks on the file.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    rejectUnlessUnsupported(error);
  } finally {
    closeSync(handle);
  }
}

/** Some network and FUSE file systems do not support fsync of a directory. */
function rejectUnlessUnsupported(error: unknown): void {
  if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(fileErrorCode(error))) throw error;
}

/** Removes the temporary files of interrupted writes. Must be called before the first write. */
export async function sweepTemps(path: string): Promise<void> {
  const directory = dirname(path);
  const ours = [`${basename(path)}.tmp-`, `${basename(path)}.bak.tmp-`];
  const stale = (await readdir(directory)).filter((name) => ours.some((start) => name.startsWith(start)));
  await removeLeftovers(directory, stale);
}

/**
 * Creates a private folder if necessary and lists it. On a read-only disk, a missing folder is treated as
 * empty.
 */
export async function openFolder(path: string): Promise<string[]> {
  try {
    // With `recursive`, `mkdir` would report a read-only file system as ENOENT.
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === 'EROFS') return [];
    if (code !== 'EEXIST') throw error;
  }
  return readdir(path);
}

/** Removes other users' access to the folders. Returns the folders whose mode could not be changed. */
export async function makePrivate(paths: readonly string[]): Promise<string[]> {
  const results = await Promise.all(
    paths.map(async (path) => {
      try {
        if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o700);
        return true;
      } catch (error) {
        return fileErrorCode(error) === 'ENOENT';
      }
    }),
  );
  return paths.filter((_path, at) => !results[at]);
}

/** Ignores errors, because the next start removes the remaining files. */
export async function removeLeftovers(directory: string, names: readonly string[]): Promise<void> {
  await Promise.allSettled(names.map((name) => rm(join(directory, name), { force: true })));
}

/**
 * Reads a regular file of at most `maxBytes`. The reported size is not reliable; in /proc, for example, it is 0.
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe would block until a writer opens it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error('not a regular file');
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ end: maxBytes, autoClose: false })) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    if (content.length > maxBytes) throw new Error(`longer than ${maxBytes} bytes`);
    return content;
  } finally {
    await file.close();
  }
}

/** Returns a system error's code, such as `ENOENT`, or an empty string for any other error. */
export function fileErrorCode(error: unknown): string {
  if (!(error instanceof Error) || !('errno' in error) || !('code' in error)) return '';
  // libuv does not know this error: its code is `Unknown system error -122`.
  if (error.errno === -osConstants.errno.EDQUOT) return 'EDQUOT';
  return typeof error.code === 'string' ? error.code : '';
}

/** Returns true if a file error reports a full disk or an exceeded quota. */
export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(fileErrorCode(error));
}

/** Returns the error for a failed write: `STORE_FULL` if the disk is full, otherwise `STORE_FAILED`. */
export function diskError(text: Text, cause: unknown): GatewayError {
  return new GatewayError(isDiskFull(cause) ? 'STORE_FULL' : 'STORE_FAILED', text, { cause });
}

/** Returns the number of bytes that this process can still write to the disk. Throws file errors. */
export function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const REASONS = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-quota',
  EROFS: 'disk-read-only',
  EACCES: 'disk-forbidden',
  EPERM: 'disk-forbidden',
  ENOENT: 'file-missing',
  ENOTDIR: 'file-not-a-directory',
  EISDIR: 'file-is-directory',
  EIO: 'disk-fault',
  EMFILE: 'files-too-many',
} as const;

/** Returns the reason for a file error, as shown to operators: `the disk is full (ENOSPC)`. */
export function fileErrorReason(error: unknown): Text {
  const code = fileErrorCode(error);
  if (!code) return errorText(error);
  const known = Object.hasOwn(REASONS, code) ? REASONS[code as keyof typeof REASONS] : 'file-refused';
  return sharedMessage('with-detail', { reason: sharedMessage(known), detail: code });
}

/** Returns a time as a part of a file name: `20260504T120211Z`. */
export function stampOf(wallMs: number): string {
  return new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, '');
}

function tempName(path: string): string {
  written += 1;
  // Random bytes, because a container may use the same process ID on every start.
  return `${path}.tmp-${process.pid}-${written}-${randomBytes(3).toString('hex')}`;
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeNew(path: string, content: string | Buffer, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.chmod(mode); // `open()` applies the umask, so the mode is set again.
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

import { randomBytes } from 'node:crypto';
import { chmod, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { saidBy } from './errors.js';
import type { Text } from './messages/message.js';
import { sharedMessage } from './messages/messages.js';

interface WriteOptions {
  /** Keep what the file holds now as `<path>.bak`. */
  backup?: boolean;
  /** Called when all is written and only the renames are left; what it throws stops the write. */
  beforeReplace?: () => void;
}

/** For files that may hold a secret; an existing file keeps its own mode. */
const DEFAULT_MODE = 0o600;

let written = 0;

/**
 * Replaces a file so that a power cut at any instant leaves either the old content or the new one, whole: unique temporary
 * file beside it, fsync, rename, fsync of the directory. The backup is copied in the same way, never linked, so that a
 * later edit in place cannot reach both. Rejects with the file system's own error and the old file intact, except when
 * the last fsync of the directory fails: then the new content is in place but may not survive a power cut.
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

/** Removes a file, if there is one; resolves when a power cut does not bring it back. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/**
 * Removes what a crash in `writeFileAtomic(path)` left behind, as far as the disk lets it: it harms nobody. Call it before
 * the first write.
 */
export async function sweepTemps(path: string): Promise<void> {
  const directory = dirname(path);
  const ours = [`${basename(path)}.tmp-`, `${basename(path)}.bak.tmp-`];
  const stale = (await readdir(directory)).filter((name) => ours.some((start) => name.startsWith(start)));
  await removeLeftovers(directory, stale);
}

/**
 * Makes a folder for its owner in a directory that is there, and answers the names in it. One that is missing on a
 * read-only file system is empty.
 */
export async function openFolder(path: string): Promise<string[]> {
  try {
    // Not `recursive`: that tells a read-only file system as a file that is not there.
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === 'EROFS') return [];
    if (code !== 'EEXIST') throw error;
  }
  return readdir(path);
}

/**
 * Takes the rights of others away from folders that exist; returns those of another owner or file system that keep theirs.
 * What is not there yet is made private later.
 */
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

/** Removes files that nobody needs; what cannot be removed now is removed at a later start. */
export async function removeLeftovers(directory: string, names: readonly string[]): Promise<void> {
  await Promise.allSettled(names.map((name) => rm(join(directory, name), { force: true })));
}

/**
 * What a plain file holds. Rejects with the file system's own error, or with one that says in words that it is none or is
 * longer than `maxBytes`, however long it claims to be: the files of /proc say 0.
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer> {
  // A pipe without a writer would keep its opener waiting.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a plain file');
    const chunks: Buffer[] = [];
    for await (const chunk of file.createReadStream({ end: maxBytes, autoClose: false })) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    if (content.length > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`);
    return content;
  } finally {
    await file.close();
  }
}

/** The code of an error of the file system (`ENOENT`, …); empty for any other error. */
export function fileErrorCode(error: unknown): string {
  // Only errors of the system have an errno; others have codes as well.
  if (!(error instanceof Error) || !('errno' in error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
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

/** A failed file operation in the operator's words: `the disk is full (ENOSPC)`. */
export function fileErrorReason(error: unknown): Text {
  const code = fileErrorCode(error);
  if (!code) return saidBy(error);
  const known = Object.hasOwn(REASONS, code) ? REASONS[code as keyof typeof REASONS] : 'file-refused';
  return sharedMessage('with-detail', { reason: sharedMessage(known), detail: code });
}

function tempName(path: string): string {
  written += 1;
  // Random as well: in a container every start has the same process id.
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
    await file.chmod(mode); // open() takes the umask away from it
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    // Some network and FUSE file systems cannot do this at all.
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(fileErrorCode(error))) throw error;
  } finally {
    await directory.close();
  }
}

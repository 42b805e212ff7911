import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../shared/errors.js';
import { fileErrorCode, freeBytesIn, syncPath } from '../shared/files.js';
import { lowerThreadPriority, toWire, type WorkerAnswer } from '../shared/worker.js';
import {
  type Archive,
  type ArchiveJob,
  type BackupJob,
  type ExtractJob,
  fileError,
  type InspectJob,
  type Sealed,
} from './archive.js';
import { contentOf, entryOf, type Group, isBackedUp, isIncluded, isUnfinished } from './contents.js';
import {
  type EntrySink,
  type LeftOut,
  type Manifest,
  readEntries,
  writeEntry,
  writeManifest,
} from './entries.js';
import { backupMessage } from './messages.js';
import { newer, SealedReader, SealedWriter, SteadyWriter } from './sealed-file.js';

/** The thread's only job. It runs here so that the main thread does not wait for the disk or the cipher. */
const job = workerData as BackupJob;
const send = (answer: WorkerAnswer<Archive | Manifest>): void => parentPort?.postMessage(answer);

function perform(job: BackupJob): Archive | Manifest {
  switch (job.kind) {
    case 'make':
      return make(job);
    case 'inspect':
      return read(job, { begin() {}, write() {}, end() {} });
    case 'extract':
      return extract(job);
  }
}

const FAILURES = {
  make: 'not-made',
  inspect: 'not-read',
  extract: 'not-extracted',
} as const;

const CHUNK_BYTES = 256 * 1024;
const DATABASE = 'cartwright.db';
const SETTINGS = 'variables.json';
const TRIAL = `${SETTINGS}.trial`;

function make({ dir, path, secret, about, snapshot, include, minFreeBytes }: Sealed<ArchiveJob>): Archive {
  const { paths, leftOut } = listFiles(dir, include);
  requireSpace(
    path,
    [snapshot.path, ...paths.map((name) => join(dir, name))].reduce((sum, file) => sum + sizeOf(file), 0) +
      minFreeBytes,
    'no-space-to-make',
  );
  // Other files can grow while the backup is being written, so the remaining space is checked repeatedly.
  const sealed = new SealedWriter(path, secret, about, () =>
    requireSpace(path, minFreeBytes, 'no-space-to-make'),
  );
  // A settings trial may begin or end during the backup. Its record is therefore read before the settings or, if it
  // does not exist yet, after them, so that a backup never contains an unconfirmed change without its record.
  const others = paths.filter((name) => name !== SETTINGS && name !== TRIAL);
  const written = new Set<string>();
  const parts = [DATABASE, ...others, TRIAL, SETTINGS, TRIAL].flatMap((name) => {
    const file = written.has(name)
      ? undefined
      : openFile(name === DATABASE ? snapshot.path : join(dir, name));
    if (file === undefined) return [];
    written.add(name);
    try {
      const { size } = fstatSync(file);
      return [writeEntry(sealed, name, size, chunksOf(file, size, name))];
    } finally {
      closeSync(file);
    }
  });
  const { schemaVersion, tables } = snapshot;
  const manifest: Manifest = { ...about, schemaVersion, tables, parts, include, leftOut };
  writeManifest(sealed, manifest);
  return { ...sealed.finish(), manifest };
}

/** Returns the backup's files (without the database) and the files that are left out. */
function listFiles(dir: string, include: readonly Group[]): { paths: string[]; leftOut: LeftOut[] } {
  const paths: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const { name } = entry;
    const content = entryOf(name);
    if (name === DATABASE || content?.backup === 'never') continue;
    if (!content) leftOut.push({ path: name, reason: 'unknown' });
    else if (!isIncluded(content.backup, include)) {
      leftOut.push({ path: name, reason: 'not-selected' });
    } else if (content.files === undefined) {
      if (entry.isFile()) paths.push(name);
      else leftOut.push({ path: name, reason: 'not-a-file' });
    } else if (entry.isDirectory()) {
      for (const found of readdirSync(join(dir, name), { withFileTypes: true })) {
        const path = `${name}/${found.name}`;
        if (isUnfinished(found.name)) continue;
        if (!contentOf(path)) leftOut.push({ path, reason: 'unknown' });
        else if (!found.isFile()) leftOut.push({ path, reason: 'not-a-file' });
        else if (isBackedUp(path, include)) paths.push(path);
      }
    } else leftOut.push({ path: name, reason: 'not-a-file' });
  }
  return { paths: paths.toSorted(), leftOut };
}

/** Returns 0 if the file no longer exists. */
function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns undefined if the file was deleted or is no longer a regular file. */
function openFile(path: string): number | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(fileErrorCode(error))) return undefined;
    throw error;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  return undefined;
}

/** Reads exactly `size` bytes. Files are replaced rather than changed, and the journal only grows. */
function* chunksOf(file: number, size: number, path: string): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  for (let at = 0; at < size; ) {
    const bytes = readSync(file, chunk, 0, Math.min(chunk.length, size - at), at);
    if (bytes === 0) throw new GatewayError('STORE_FAILED', backupMessage('file-shrank', { path }));
    yield chunk.subarray(0, bytes);
    at += bytes;
  }
}

function read({ path, secret, schemaVersion }: Sealed<InspectJob>, sink: EntrySink): Manifest {
  const sealed = new SealedReader(path);
  try {
    sealed.unlock(secret);
    const manifest = readEntries(sealed, sink);
    if (schemaVersion !== undefined && manifest.schemaVersion > schemaVersion) throw newer();
    return manifest;
  } finally {
    sealed.close();
  }
}

function extract(job: Sealed<ExtractJob>): Manifest {
  const { path, into, minFreeBytes = 0 } = job;
  requireSpace(into, statSync(path).size + minFreeBytes, 'no-space-to-extract');
  const files = new FileSink(into, () => requireSpace(into, minFreeBytes, 'no-space-to-extract'));
  const manifest = read(job, files);
  files.sync();
  return manifest;
}

function requireSpace(path: string, needed: number, key: 'no-space-to-make' | 'no-space-to-extract'): void {
  if (freeBytesIn(dirname(path)) >= needed) return;
  throw new GatewayError('STORE_FULL', backupMessage(key), { limit: needed, unit: 'bytes free' });
}

/** Writes each entry to a new file with mode 0600. */
class FileSink implements EntrySink {
  readonly #folder: string;
  readonly #folders = new Set<string>();
  readonly #onSynced: () => void;
  #file: SteadyWriter | undefined;

  /** @param onSynced see `SteadyWriter`. */
  constructor(folder: string, onSynced: () => void) {
    this.#folder = folder;
    this.#onSynced = onSynced;
    this.#folders.add(folder);
  }

  begin(path: string): void {
    const target = join(this.#folder, path);
    const folder = dirname(target);
    if (!this.#folders.has(folder)) mkdirSync(folder, { mode: 0o700 });
    this.#folders.add(folder);
    this.#file = new SteadyWriter(openSync(target, 'wx', 0o600), this.#onSynced);
  }

  write(data: Buffer): void {
    this.#file?.write(data);
  }

  end(): void {
    this.#file?.finish();
    this.#file = undefined;
  }

  /** Makes the names durable. */
  sync(): void {
    for (const folder of [...this.#folders, dirname(this.#folder)]) syncPath(folder);
  }
}

try {
  lowerThreadPriority();
  send({ report: perform(job) });
} catch (thrown) {
  send({ error: toWire(thrown instanceof GatewayError ? thrown : fileError(FAILURES[job.kind], thrown)) });
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../shared/errors.js';
import { fileErrorCode, freeBytesIn, readSmallFile, syncDirectory } from '../shared/files.js';
import type { Text } from '../shared/messages/message.js';
import type { UploadPart, UploadProgress } from '../shared/ports/backups.js';
import type { Clock } from '../shared/ports/clock.js';
import { PartUploads } from '../shared/uploads.js';
import { updateMessage } from './messages.js';
import {
  compareVersions,
  FIRST_LINE,
  isSignedBy,
  MAX_SIGNATURE_BYTES,
  parseStatement,
  type ReleaseKey,
  type ReleaseName,
  releaseNameOf,
  type Statement,
} from './release.js';
import { updateSpace } from './space.js';

const MIB = 1024 * 1024;
const MAX_ARCHIVE_BYTES = 512 * MIB;
/** The same limit as for writes to the database. */
const MIN_FREE_BYTES = 32 * MIB;
const UNFINISHED = '.part';
const GZIP = Buffer.from([0x1f, 0x8b]);
/** Number of bytes that are hashed at a time. SHA-256 of 256 KiB takes about 3 ms on a Raspberry Pi 3. */
const HASHED_BYTES = 256 * 1024;

type ProblemCode = 'UPDATE_SIGNATURE' | 'UPDATE_DAMAGED' | 'UPDATE_OLDER' | 'UPDATE_PROCESSOR' | 'STORE_FULL';

/** Why a release cannot be installed on this gateway. */
export interface ReleaseProblem {
  code: ProblemCode;
  text: Text;
  hint?: Text;
}

/** An uploaded release and the results of the gateway's checks, which the update service repeats. */
export interface UploadedRelease {
  version: string;
  /** The name of the archive. */
  file: string;
  architecture: string;
  /** The size of the archive; 0 if it has not been uploaded. */
  bytes: number;
  /** SHA-256 of the archive; null if it has not been uploaded. */
  sha256: string | null;
  /** The fingerprint of the key that signed the release; null if the signature is missing or invalid. */
  signedBy: string | null;
  /** The release notes in Markdown; empty unless the signature is valid. */
  notes: string;
  /** True if the release can be installed on this gateway. */
  fits: boolean;
  problem?: ReleaseProblem;
  /** True if this version is running. */
  installed: boolean;
}

/** A file that has been uploaded. */
export interface UploadedFile {
  file: string;
  bytes: number;
}

interface SpoolOptions {
  /** The data directory. */
  dir: string;
  /** The version and the processor of this gateway; the processor is named as in Node's `process.arch`. */
  version: string;
  architecture: string;
  /** The key of the installed release; undefined if there is none. */
  key: ReleaseKey | undefined;
  /** The folder of the installed release. */
  releaseDir: string;
  clock: Clock;
}

/** The results of checking an archive, valid until one of the two files changes. */
interface Checked {
  /** Sizes and times of both files. */
  stamp: string;
  sha256: string | null;
  hasSignature: boolean;
  statement: Statement | undefined;
  isSigned: boolean;
}

/** The release that an administrator has uploaded: an archive and its signature file in the folder `updates`. */
export class UpdateSpool {
  readonly #o: SpoolOptions;
  readonly #folder: string;
  readonly #archives: PartUploads<string>;
  readonly #signatures: PartUploads<string>;
  #checked: { stamp: string; result: Promise<Checked> } | undefined;

  private constructor(o: SpoolOptions) {
    this.#o = o;
    this.#folder = join(o.dir, 'updates');
    const uploads = (maxBytes: number, magic: Buffer, fault: 'not-an-archive' | 'not-a-signature') =>
      new PartUploads<string>({
        clock: o.clock,
        folder: this.#folder,
        maxBytes,
        spaceFor: (bytes) => bytes + MIN_FREE_BYTES,
        begin: (name) => join(this.#folder, `${name}${UNFINISHED}`),
        headerBytes: magic.length,
        headerFault: (header) =>
          header.equals(magic)
            ? undefined
            : new GatewayError('UPDATE_DAMAGED', updateMessage(fault), {
                hint: updateMessage('signature-hint'),
              }),
        finish: (temp, name) => this.#accept(temp, name),
      });
    this.#archives = uploads(MAX_ARCHIVE_BYTES, GZIP, 'not-an-archive');
    this.#signatures = uploads(MAX_SIGNATURE_BYTES, Buffer.from(FIRST_LINE), 'not-a-signature');
  }

  /** Deletes unfinished files that an earlier run left behind. */
  static async open(o: SpoolOptions): Promise<UpdateSpool> {
    const spool = new UpdateSpool(o);
    const unfinished = (await spool.#names()).filter((name) => name.endsWith(UNFINISHED));
    await Promise.allSettled(unfinished.map((name) => rm(join(spool.#folder, name), { force: true })));
    return spool;
  }

  /** Deletes unfinished uploads. */
  async close(): Promise<void> {
    await Promise.all([this.#archives.close(), this.#signatures.close()]);
  }

  /**
   * Stores a part of a file. The complete file replaces the files of other releases. Rejects with `INVALID_INPUT`
   * (name), `UPDATE_DAMAGED` (not a release) or an error of `PartUploads`.
   */
  async upload(
    name: string,
    part: UploadPart,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<UploadProgress | UploadedFile> {
    const release = releaseNameOf(name);
    if (!release) {
      const details = { field: 'file', hint: updateMessage('name-hint') };
      throw new GatewayError('INVALID_INPUT', updateMessage('name-invalid'), details);
    }
    const uploads = release.isSignature ? this.#signatures : this.#archives;
    const received = await uploads.receive(part, chunks, name);
    return 'stored' in received ? { file: received.stored, bytes: part.total } : received;
  }

  /**
   * Returns the uploaded release in a list, which is empty if there is none. Reads a new archive once, which takes
   * about 1 s for 50 MB.
   */
  async list(): Promise<UploadedRelease[]> {
    const names = (await this.#names()).flatMap((name) => releaseNameOf(name) ?? []);
    const archives = new Map(names.map((name) => [name.archive, name]));
    return await Promise.all([...archives.values()].map((name) => this.#describe(name)));
  }

  /** The free space for uploads. */
  get freeBytes(): number {
    return freeBytesIn(this.#o.dir);
  }

  async #describe(name: ReleaseName): Promise<UploadedRelease> {
    const { archive: file, version, architecture } = name;
    const checked = await this.#check(file);
    const bytes = checked.bytes ?? 0;
    const { sha256, isSigned, statement } = checked;
    const problem = await this.#problemOf(name, checked);
    return {
      version,
      file,
      architecture,
      bytes,
      sha256,
      signedBy: isSigned ? (this.#o.key?.fingerprint ?? null) : null,
      notes: isSigned ? (statement?.notes ?? '') : '',
      fits: problem === undefined,
      ...(problem ? { problem } : {}),
      installed: version === this.#o.version,
    };
  }

  /** Reads both files, unless they are unchanged since the last check. */
  async #check(archive: string): Promise<Checked & { bytes: number | undefined }> {
    const path = join(this.#folder, archive);
    const [file, signature] = await Promise.all([fileAt(path), fileAt(`${path}.sig`)]);
    const stamp = [archive, file?.size, file?.mtimeMs, signature?.size, signature?.mtimeMs].join(' ');
    if (this.#checked?.stamp !== stamp) {
      const result = this.#read(stamp, path, {
        hasArchive: file !== undefined,
        hasSignature: signature !== undefined,
      });
      this.#checked = { stamp, result };
      result.catch(() => {
        this.#checked = undefined;
      });
    }
    return { ...(await this.#checked.result), bytes: file?.size };
  }

  async #read(
    stamp: string,
    path: string,
    { hasArchive, hasSignature }: { hasArchive: boolean; hasSignature: boolean },
  ): Promise<Checked> {
    const statement = hasSignature
      ? parseStatement(await readSmallFile(`${path}.sig`, MAX_SIGNATURE_BYTES))
      : undefined;
    const { key } = this.#o;
    const isSigned = statement !== undefined && key !== undefined && isSignedBy(statement, key);
    return { stamp, hasSignature, statement, isSigned, sha256: hasArchive ? await sha256Of(path) : null };
  }

  async #problemOf(
    { version, architecture }: ReleaseName,
    { bytes, sha256, hasSignature, statement, isSigned }: Checked & { bytes: number | undefined },
  ): Promise<ReleaseProblem | undefined> {
    const { architecture: own, key, version: installed } = this.#o;
    const hint = updateMessage('signature-hint');
    if (!key) return { code: 'UPDATE_SIGNATURE', text: updateMessage('key-missing') };
    if (!hasSignature) return { code: 'UPDATE_SIGNATURE', text: updateMessage('signature-missing') };
    if (!statement || !isSigned)
      return { code: 'UPDATE_SIGNATURE', text: updateMessage('signature-invalid'), hint };
    if (statement.version !== version || statement.architecture !== architecture)
      return { code: 'UPDATE_SIGNATURE', text: updateMessage('signature-other'), hint };
    if (bytes === undefined) return { code: 'UPDATE_DAMAGED', text: updateMessage('archive-missing') };
    if (statement.bytes !== bytes || statement.sha256 !== sha256)
      return { code: 'UPDATE_DAMAGED', text: updateMessage('damaged'), hint: updateMessage('damaged-hint') };
    if (architecture !== own)
      return { code: 'UPDATE_PROCESSOR', text: updateMessage('processor', { architecture, own }) };
    if (version === installed) return { code: 'UPDATE_OLDER', text: updateMessage('installed') };
    if (compareVersions(version, installed) <= 0)
      return { code: 'UPDATE_OLDER', text: updateMessage('older', { installed }) };
    const { freeBytes, neededBytes } = await updateSpace(bytes, this.#o);
    if (freeBytes >= neededBytes) return undefined;
    const sizes = { needed: mebibytes(neededBytes), free: mebibytes(freeBytes) };
    return {
      code: 'STORE_FULL',
      text: updateMessage('no-space'),
      hint: updateMessage('no-space-hint', sizes),
    };
  }

  async #accept(temp: string, name: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await rename(temp, join(this.#folder, name));
    await syncDirectory(this.#folder);
    const archive = releaseNameOf(name)?.archive;
    const others = (await this.#names()).filter((other) => {
      const found = releaseNameOf(other);
      return found !== undefined && found.archive !== archive;
    });
    await Promise.all(others.map((other) => rm(join(this.#folder, other), { force: true })));
    return name;
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

/** Returns undefined if there is no regular file with this name. */
async function fileAt(path: string): Promise<{ size: number; mtimeMs: number } | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : undefined;
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Hashes a file in small pieces, so that the event loop can run in between. */
async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: HASHED_BYTES }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MIB)} MiB`;
}

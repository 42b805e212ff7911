// The files and the manifest inside a backup; docs/backups.md describes their encoding. Runs on the backup thread.

import { createHash } from 'node:crypto';
import { isJsonObject } from '../shared/validation/json.js';
import { GROUPS, type Group, isBackedUp } from './contents.js';
import { backupMessage } from './messages.js';
import { type About, damaged, type SealedReader, type SealedWriter } from './sealed-file.js';

/** A file in a backup. */
export interface Part {
  /** Relative to the data directory. */
  path: string;
  bytes: number;
  sha256: string;
}

/** What a backup contains. */
export interface Manifest extends About {
  /** The version of the database schema. */
  schemaVersion: number;
  /** The number of rows of each table. */
  tables: Readonly<Record<string, number>>;
  /** In the order of the file. */
  parts: readonly Part[];
  /** The optional groups that the backup contains. */
  include: readonly Group[];
  /** What the backup does not contain, although the gateway has it. */
  leftOut: readonly LeftOut[];
}

export interface LeftOut {
  path: string;
  reason: 'not-selected' | 'not-a-file' | 'unknown';
}

const MAX_PATH_BYTES = 300;
const MAX_PARTS = 20_000;
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/** Writes a file's data of exactly `bytes` bytes, and returns its part of the manifest. */
export function writeEntry(
  sealed: SealedWriter,
  path: string,
  bytes: number,
  chunks: Iterable<Buffer>,
): Part {
  const name = Buffer.from(path);
  const head = Buffer.alloc(2 + name.length + 8);
  head.writeUInt16BE(name.length);
  name.copy(head, 2);
  head.writeBigUInt64BE(BigInt(bytes), 2 + name.length);
  sealed.write(head);
  const hash = createHash('sha256');
  for (const chunk of chunks) {
    hash.update(chunk);
    sealed.write(chunk);
  }
  return { path, bytes, sha256: hash.digest('hex') };
}

export function writeManifest(sealed: SealedWriter, manifest: Manifest): void {
  const json = Buffer.from(JSON.stringify(manifest));
  const head = Buffer.alloc(6);
  head.writeUInt32BE(json.length, 2);
  sealed.write(head);
  sealed.write(json);
}

/** Receives the files of a backup. Until `readEntries` returns, the backup may still be damaged. */
export interface EntrySink {
  begin(path: string): void;
  write(data: Buffer): void;
  end(): void;
}

/**
 * Reads the files and the manifest of an unlocked backup to the end, and compares them. Throws `BACKUP_DAMAGED` if
 * they differ or if the backup contains a path that is not permitted in backups.
 */
export function readEntries(sealed: SealedReader, sink: EntrySink): Manifest {
  const content = new Content(sealed);
  const parts: Part[] = [];
  const paths = new Set<string>();
  for (let length = content.uint16(); length > 0; length = content.uint16()) {
    if (length > MAX_PATH_BYTES || parts.length === MAX_PARTS) throw content.fault('limits');
    const path = content.read(length).toString('utf8');
    if (!isBackedUp(path, GROUPS)) throw content.fault('path');
    if (paths.has(path)) throw content.fault('duplicate');
    paths.add(path);
    const bytes = content.uint64();
    const hash = createHash('sha256');
    sink.begin(path);
    content.pass(bytes, (data) => {
      hash.update(data);
      sink.write(data);
    });
    sink.end();
    parts.push({ path, bytes, sha256: hash.digest('hex') });
  }
  const length = content.uint32();
  if (length > MAX_MANIFEST_BYTES) throw content.fault('limits');
  const manifest = manifestOf(content.read(length));
  if (!manifest || !isSame(manifest.parts, parts)) throw content.fault('manifest');
  if (parts.some(({ path }) => !isBackedUp(path, manifest.include))) throw content.fault('manifest');
  if (!paths.has('cartwright.db')) throw content.fault('database');
  if (!content.isAtEnd()) throw content.fault('end');
  return manifest;
}

/** Reads the decrypted segments as one sequence of bytes. All methods throw `BACKUP_DAMAGED`. */
class Content {
  readonly #sealed: SealedReader;
  #data: Buffer = Buffer.alloc(0);

  constructor(sealed: SealedReader) {
    this.#sealed = sealed;
  }

  fault(detail: string): Error {
    return damaged(backupMessage('content-damaged', { detail }));
  }

  uint16(): number {
    return this.read(2).readUInt16BE();
  }

  uint32(): number {
    return this.read(4).readUInt32BE();
  }

  uint64(): number {
    return Number(this.read(8).readBigUInt64BE());
  }

  read(bytes: number): Buffer {
    const pieces: Buffer[] = [];
    this.pass(bytes, (data) => pieces.push(Buffer.from(data)));
    return Buffer.concat(pieces);
  }

  /** Passes the next bytes on in pieces, which are valid only during the call. */
  pass(bytes: number, take: (data: Buffer) => void): void {
    // The length is checked before the first byte is passed on, so that a wrong length cannot fill the disk.
    if (bytes > this.#data.length + this.#sealed.remaining) throw this.fault('length');
    for (let left = bytes; left > 0; ) {
      if (this.#data.length === 0) this.#data = this.#sealed.next() ?? missing(this.fault('length'));
      const piece = this.#data.subarray(0, left);
      this.#data = this.#data.subarray(piece.length);
      take(piece);
      left -= piece.length;
    }
  }

  isAtEnd(): boolean {
    return this.#data.length === 0 && this.#sealed.next() === undefined;
  }
}

function missing(error: Error): never {
  throw error;
}

function isSame(listed: readonly Part[], found: readonly Part[]): boolean {
  return (
    listed.length === found.length &&
    found.every(({ path, bytes, sha256 }, index) => {
      const part = listed[index];
      return part?.path === path && part.bytes === bytes && part.sha256 === sha256;
    })
  );
}

function manifestOf(json: Buffer): Manifest | undefined {
  try {
    const found: unknown = JSON.parse(json.toString('utf8'));
    return isJsonObject(found) && isManifest(found) ? (found as unknown as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(found: Record<string, unknown>): boolean {
  const { gateway, cartId, version, madeAt, schemaVersion, tables, parts, include, leftOut } = found;
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
  return (
    typeof gateway === 'string' &&
    typeof version === 'string' &&
    [cartId, madeAt, schemaVersion].every(isCount) &&
    isJsonObject(tables) &&
    Object.values(tables).every(isCount) &&
    Array.isArray(parts) &&
    parts.every(isJsonObject) &&
    Array.isArray(include) &&
    include.every((group) => GROUPS.some((known) => known === group)) &&
    Array.isArray(leftOut) &&
    leftOut.every(isJsonObject)
  );
}

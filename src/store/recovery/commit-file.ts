// `CommitFile` is used on the writer thread, at startup and in every commit.

import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { fileErrorCode, syncPath } from '../../shared/files.js';

/** The last acknowledged commit, as `commit-number` in the data directory records it. */
export interface CommitMark {
  /** 32 hexadecimal digits; each new or restored database has its own. */
  databaseId: string;
  /** Number of operations acknowledged since the database was created. */
  operations: number;
  /** The kernel's boot ID when the mark was written, as 32 hexadecimal digits; zeros if unknown. */
  bootId: string;
  /** True if the gateway closed the database after this mark. */
  isClosed: boolean;
  /**
   * Length of the log in frames while a checkpoint copies its pages, or 0. Without the whole log, the database
   * file may then be inconsistent.
   */
  checkpointFrames: number;
}

const MAGIC = 0x43574e31; // CWN1
const RECORD_BYTES = 64;
const CHECKED_BYTES = RECORD_BYTES - 4;
/** Size of a slot. Each slot has its own page, so that a torn write damages only the slot that is being written. */
const SLOT_BYTES = 4096;
const NO_BOOT_ID = '0'.repeat(32);

interface Slot {
  sequence: number;
  mark: CommitMark;
}

/**
 * Keeps the number of the last acknowledged commit outside the write-ahead log. Two preallocated slots are written
 * alternately with `pwrite`, which costs no fsync; `sync` makes the file durable once a second. After a kill, the
 * page cache still has the last write; after a power cut, at most the last second is missing.
 */
export class CommitFile {
  readonly #handle: number;
  readonly #bootId: string;
  #sequence: number;

  /** Creates the file if it is missing or has the wrong size. Throws file errors. */
  constructor(path: string, bootId = currentBootId()) {
    this.#bootId = bootId;
    this.#sequence = newestSlot(path)?.sequence ?? 0;
    if (!isComplete(path)) create(path);
    this.#handle = openSync(path, 'r+');
  }

  /** Overwrites the older slot. Throws file errors. */
  write(mark: Omit<CommitMark, 'bootId'>): void {
    this.#sequence += 1;
    const record = encode({ sequence: this.#sequence, mark: { ...mark, bootId: this.#bootId } });
    writeSync(this.#handle, record, 0, RECORD_BYTES, (this.#sequence % 2) * SLOT_BYTES);
  }

  /** Does not block the calling thread. */
  sync(done: (error: NodeJS.ErrnoException | null) => void): void {
    fdatasync(this.#handle, done);
  }

  /** Makes the last mark durable before it returns. Throws file errors. */
  syncNow(): void {
    fsyncSync(this.#handle);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** Returns undefined if the file is missing or neither slot is readable. Throws file errors except EIO. */
export function readMark(path: string): CommitMark | undefined {
  return newestSlot(path)?.mark;
}

/** Returns the kernel's boot ID; a different one means that the machine restarted. */
export function currentBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().replaceAll('-', '');
  } catch {
    return NO_BOOT_ID;
  }
}

function newestSlot(path: string): Slot | undefined {
  const content = contentOf(path);
  const slots = [0, SLOT_BYTES].flatMap(
    (start) => decode(content.subarray(start, start + RECORD_BYTES)) ?? [],
  );
  return slots.toSorted((a, b) => b.sequence - a.sequence)[0];
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'EIO'].includes(fileErrorCode(error))) return Buffer.alloc(0);
    throw error;
  }
}

function isComplete(path: string): boolean {
  return existsSync(path) && contentOf(path).length === 2 * SLOT_BYTES;
}

function create(path: string): void {
  const temp = `${path}.tmp`;
  writeFileSync(temp, Buffer.alloc(2 * SLOT_BYTES), { mode: 0o600 });
  syncPath(temp);
  renameSync(temp, path);
  syncPath(dirname(path));
}

function encode({ sequence, mark }: Slot): Buffer {
  const record = Buffer.alloc(RECORD_BYTES);
  record.writeUInt32BE(MAGIC, 0);
  record.writeBigUInt64BE(BigInt(sequence), 4);
  record.writeBigUInt64BE(BigInt(mark.operations), 12);
  record.write(mark.databaseId, 20, 16, 'hex');
  record.write(mark.bootId, 36, 16, 'hex');
  record.writeUInt32BE(mark.isClosed ? 1 : 0, 52);
  record.writeUInt32BE(mark.checkpointFrames, 56);
  record.writeUInt32BE(crc32(record.subarray(0, CHECKED_BYTES)), CHECKED_BYTES);
  return record;
}

function decode(record: Buffer): Slot | undefined {
  if (record.length < RECORD_BYTES || record.readUInt32BE(0) !== MAGIC) return undefined;
  if (record.readUInt32BE(CHECKED_BYTES) !== crc32(record.subarray(0, CHECKED_BYTES))) return undefined;
  return {
    sequence: Number(record.readBigUInt64BE(4)),
    mark: {
      operations: Number(record.readBigUInt64BE(12)),
      databaseId: record.toString('hex', 20, 36),
      bootId: record.toString('hex', 36, 52),
      isClosed: record.readUInt32BE(52) !== 0,
      checkpointFrames: record.readUInt32BE(56),
    },
  };
}

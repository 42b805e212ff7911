// The encrypted file that contains a backup; docs/backups.md describes its format. Runs on the backup thread, except
// for the derivation of the key.

import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHash,
  type Decipher,
  type Hash,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { GatewayError } from '../shared/errors.js';
import type { Text } from '../shared/messages/message.js';
import { backupMessage } from './messages.js';

/** The first bytes of a backup. */
export const MAGIC = Buffer.from('CWBACKUP');
const FORMAT = 1;
export const SEGMENT_BYTES = 1024 * 1024;
const PIECE_BYTES = 2048;
const SYNC_BYTES = 4 * SEGMENT_BYTES;
const TAG_BYTES = 16;
const HASH_BYTES = 32;
/** The magic, the format version (2 bytes) and the length of the header (4 bytes). */
const FIXED_BYTES = MAGIC.length + 6;
const MAX_HEADER_BYTES = 4096;
/**
 * scrypt uses 128 N r = 32 MiB. Files with other parameters are rejected, so that no file can demand more
 * memory.
 */
const SCRYPT = { N: 32_768, r: 8, p: 1 } as const;
const SCRYPT_MAX_BYTES = 48 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const PREFIX_BYTES = 7;

/** Information about a backup that can be read without its passphrase. */
export interface About {
  /** The gateway's name. */
  gateway: string;
  cartId: number;
  /** The version of Cartwright that made the backup. */
  version: string;
  /** Unix time in ms. */
  madeAt: number;
}

interface Header extends About {
  cipher: 'aes-256-gcm';
  kdf: { name: 'scrypt'; N: number; r: number; p: number; salt: string };
  noncePrefix: string;
  /** Distinguishes a wrong passphrase from a damaged file. */
  passphraseCheck: string;
}

export function damaged(reason: Text): GatewayError {
  const hint = backupMessage('damaged-hint');
  return new GatewayError('BACKUP_DAMAGED', backupMessage('damaged', { reason }), { hint });
}

export function newer(): GatewayError {
  const hint = backupMessage('newer-hint');
  return new GatewayError('BACKUP_NEWER', backupMessage('newer'), { hint });
}

function passphraseError(key: 'passphrase-missing' | 'passphrase-wrong'): GatewayError {
  return new GatewayError('BACKUP_PASSPHRASE', backupMessage(key), { field: 'passphrase' });
}

/** The key of a backup. */
export interface Secret {
  salt: Uint8Array;
  key: Uint8Array;
  /** Reveals nothing about the key. */
  check: Uint8Array;
}

/**
 * Derives the key from a passphrase and a salt; by default, a new salt. Runs in Node's thread pool, like
 * password hashing, because the 32 MiB for scrypt would otherwise add to the memory of the backup thread.
 * Rejects with `BACKUP_PASSPHRASE` if the passphrase is empty.
 */
export async function deriveSecret(
  passphrase: string,
  salt: Uint8Array = randomBytes(SALT_BYTES),
): Promise<Secret> {
  if (!passphrase) throw passphraseError('passphrase-missing');
  const options = { ...SCRYPT, maxmem: SCRYPT_MAX_BYTES };
  const derived = await new Promise<Buffer>((resolve, reject) => {
    // The passphrase is normalised, because keyboards differ in how they compose accented letters.
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES + HASH_BYTES, options, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });
  return { salt, key: derived.subarray(0, KEY_BYTES), check: derived.subarray(KEY_BYTES) };
}

/** Reads the information and the salt in the header. Rejects with `BACKUP_DAMAGED`, `BACKUP_NEWER` or a file error. */
export async function readHeader(path: string): Promise<{ about: About; salt: Uint8Array }> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(FIXED_BYTES + MAX_HEADER_BYTES + HASH_BYTES);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const header = parseHeader(headIn(start.subarray(0, bytesRead)));
    return { about: aboutIn(header), salt: Buffer.from(header.kdf.salt, 'hex') };
  } finally {
    await file.close();
  }
}

function aboutIn({ gateway, cartId, version, madeAt }: Header): About {
  return { gateway, cartId, version, madeAt };
}

function nonceOf(prefix: Buffer, counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(PREFIX_BYTES + 5);
  prefix.copy(nonce);
  nonce.writeUInt32BE(counter, PREFIX_BYTES);
  nonce.writeUInt8(isLast ? 1 : 0, PREFIX_BYTES + 4);
  return nonce;
}

/**
 * Encrypts or decrypts a segment in small pieces. `update` returns a new buffer, whose memory is in use until V8 next
 * collects garbage. With small buffers, a collection occurs after a few segments; with whole segments, it would occur
 * only after 32 MB.
 */
function convertInPlace(segment: Buffer, cipher: Cipher | Decipher): void {
  for (let at = 0; at < segment.length; at += PIECE_BYTES) {
    segment.set(cipher.update(segment.subarray(at, at + PIECE_BYTES)), at);
  }
}

/**
 * Writes all bytes and, after every `SYNC_BYTES`, waits for the disk. Otherwise, most of the file could still
 * be waiting to be written, and each fsync of the database would wait for the file as well.
 */
export class SteadyWriter {
  readonly #file: number;
  readonly #onSynced: () => void;
  #unsynced = 0;

  /** @param onSynced is called after every `SYNC_BYTES`. An error that it throws ends the write. */
  constructor(file: number, onSynced: () => void = () => undefined) {
    this.#file = file;
    this.#onSynced = onSynced;
  }

  write(data: Buffer): void {
    for (let from = 0; from < data.length; ) from += writeSync(this.#file, data, from);
    this.#unsynced += data.length;
    if (this.#unsynced < SYNC_BYTES) return;
    fdatasyncSync(this.#file);
    this.#unsynced = 0;
    this.#onSynced();
  }

  /** Makes the file durable, and closes it. */
  finish(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

/** Encrypts data to a new file with mode 0600. All methods throw file errors. */
export class SealedWriter {
  readonly #file: SteadyWriter;
  readonly #key: Uint8Array;
  readonly #prefix = randomBytes(PREFIX_BYTES);
  readonly #head: Buffer;
  readonly #segment = Buffer.allocUnsafe(SEGMENT_BYTES);
  readonly #hash: Hash = createHash('sha256');
  #filled = 0;
  #counter = 0;
  #bytes = 0;

  /** @param onSynced see `SteadyWriter`. */
  constructor(path: string, { salt, key, check }: Secret, about: About, onSynced?: () => void) {
    this.#key = key;
    const header: Header = {
      ...about,
      cipher: 'aes-256-gcm',
      kdf: { name: 'scrypt', ...SCRYPT, salt: Buffer.from(salt).toString('hex') },
      noncePrefix: this.#prefix.toString('hex'),
      passphraseCheck: Buffer.from(check).toString('hex'),
    };
    this.#head = headBytes(FORMAT, Buffer.from(JSON.stringify(header)));
    this.#file = new SteadyWriter(openSync(path, 'wx', 0o600), onSynced);
    this.#put(this.#head);
  }

  write(data: Buffer): void {
    for (let from = 0; from < data.length; ) {
      // A full segment is written only when more data follows, because the last one is marked.
      if (this.#filled === SEGMENT_BYTES) this.#seal(false);
      const copied = data.copy(this.#segment, this.#filled, from);
      this.#filled += copied;
      from += copied;
    }
  }

  /** Writes the last segment and makes the file durable. Returns the file's length and its SHA-256. */
  finish(): { bytes: number; sha256: string } {
    this.#seal(true);
    this.#file.finish();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  #seal(isLast: boolean): void {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(this.#prefix, this.#counter, isLast));
    cipher.setAAD(this.#head);
    const segment = this.#segment.subarray(0, this.#filled);
    convertInPlace(segment, cipher);
    this.#put(segment);
    cipher.final();
    this.#put(cipher.getAuthTag());
    this.#counter += 1;
    this.#filled = 0;
  }

  #put(data: Buffer): void {
    this.#file.write(data);
    this.#hash.update(data);
    this.#bytes += data.length;
  }
}

function headBytes(format: number, header: Buffer): Buffer {
  const fixed = Buffer.alloc(FIXED_BYTES);
  MAGIC.copy(fixed);
  fixed.writeUInt16BE(format, MAGIC.length);
  fixed.writeUInt32BE(header.length, MAGIC.length + 2);
  const hash = createHash('sha256').update(fixed).update(header).digest();
  return Buffer.concat([fixed, header, hash]);
}

/** Decrypts a file, and returns only data whose authenticity has been verified. Methods throw file errors. */
export class SealedReader {
  readonly #file: number;
  readonly #head: Buffer;
  readonly #header: Header;
  readonly #bytes: number;
  readonly #sealed = Buffer.allocUnsafe(SEGMENT_BYTES + TAG_BYTES);
  #key: Uint8Array | undefined;
  #position: number;
  #counter = 0;

  /** Throws `BACKUP_DAMAGED` or `BACKUP_NEWER`. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    try {
      this.#bytes = fstatSync(this.#file).size;
      const start = Buffer.alloc(FIXED_BYTES + MAX_HEADER_BYTES + HASH_BYTES);
      this.#head = headIn(start.subarray(0, readSync(this.#file, start, 0, start.length, 0)));
      this.#header = parseHeader(this.#head);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
    this.#position = this.#head.length;
  }

  /** Number of bytes that `next` has not returned yet. */
  get remaining(): number {
    const sealed = this.#bytes - this.#position;
    return Math.max(0, sealed - TAG_BYTES * Math.ceil(sealed / (SEGMENT_BYTES + TAG_BYTES)));
  }

  /** Throws `BACKUP_PASSPHRASE` if this is not the key of the file. */
  unlock({ key, check }: Secret): void {
    if (!timingSafeEqual(check, Buffer.from(this.#header.passphraseCheck, 'hex'))) {
      throw passphraseError('passphrase-wrong');
    }
    this.#key = key;
  }

  /**
   * Returns the next segment's data, or undefined after the last segment. The next call overwrites the data. Throws
   * `BACKUP_DAMAGED`.
   */
  next(): Buffer | undefined {
    const left = this.#bytes - this.#position;
    if (left === 0 && this.#counter > 0) return undefined;
    const length = Math.min(left, this.#sealed.length);
    const fault = (): GatewayError => damaged(backupMessage('segment-damaged', { position: this.#position }));
    if (length < TAG_BYTES || !readFully(this.#file, this.#sealed.subarray(0, length), this.#position)) {
      throw fault();
    }
    const isLast = length === left;
    const nonce = nonceOf(Buffer.from(this.#header.noncePrefix, 'hex'), this.#counter, isLast);
    if (!this.#key) throw passphraseError('passphrase-missing');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#head);
    decipher.setAuthTag(this.#sealed.subarray(length - TAG_BYTES, length));
    const data = this.#sealed.subarray(0, length - TAG_BYTES);
    convertInPlace(data, decipher);
    try {
      decipher.final();
    } catch {
      throw fault();
    }
    this.#counter += 1;
    this.#position += length;
    return data;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/**
 * Returns the head (all bytes before the first segment) from the start of a file. Throws `BACKUP_DAMAGED` or
 * `BACKUP_NEWER`.
 */
function headIn(start: Buffer): Buffer {
  if (start.length < FIXED_BYTES || !start.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw damaged(backupMessage('not-a-backup'));
  }
  const end = FIXED_BYTES + start.readUInt32BE(MAGIC.length + 2);
  const head = start.subarray(0, end + HASH_BYTES);
  if (head.length < end + HASH_BYTES) throw damaged(backupMessage('header-damaged'));
  const hash = createHash('sha256').update(head.subarray(0, end)).digest();
  if (!hash.equals(head.subarray(end))) throw damaged(backupMessage('header-damaged'));
  if (start.readUInt16BE(MAGIC.length) > FORMAT) throw newer();
  return head;
}

function parseHeader(head: Buffer): Header {
  try {
    const header = JSON.parse(head.toString('utf8', FIXED_BYTES, head.length - HASH_BYTES)) as Header;
    const { gateway, cartId, version, madeAt, cipher, kdf, noncePrefix, passphraseCheck } = header;
    const isValid =
      typeof gateway === 'string' &&
      typeof version === 'string' &&
      Number.isSafeInteger(cartId) &&
      Number.isSafeInteger(madeAt) &&
      cipher === 'aes-256-gcm' &&
      kdf.name === 'scrypt' &&
      kdf.N === SCRYPT.N &&
      kdf.r === SCRYPT.r &&
      kdf.p === SCRYPT.p &&
      isHex(kdf.salt, SALT_BYTES) &&
      isHex(noncePrefix, PREFIX_BYTES) &&
      isHex(passphraseCheck, HASH_BYTES);
    if (isValid) return header;
  } catch {
    // An unreadable header causes the same error as an invalid one.
  }
  throw damaged(backupMessage('header-damaged'));
}

function isHex(text: unknown, bytes: number): boolean {
  return typeof text === 'string' && text.length === 2 * bytes && /^[\da-f]*$/.test(text);
}

/** Returns false if the file ends before the buffer is full. */
function readFully(file: number, into: Buffer, position: number): boolean {
  for (let at = 0; at < into.length; ) {
    const bytes = readSync(file, into, at, into.length - at, position + at);
    if (bytes === 0) return false;
    at += bytes;
  }
  return true;
}

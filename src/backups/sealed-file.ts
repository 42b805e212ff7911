// The encrypted file that contains a backup; docs/backups.md describes its format. Runs on the backup thread.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  type Hash,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { GatewayError } from '../shared/errors.js';
import type { Text } from '../shared/messages/message.js';
import { backupMessage } from './messages.js';

/** The first bytes of a backup. */
export const MAGIC = Buffer.from('CWBACKUP');
const FORMAT = 1;
export const SEGMENT_BYTES = 1024 * 1024;
const TAG_BYTES = 16;
const HASH_BYTES = 32;
/** The magic, the format version (2 bytes) and the length of the header (4 bytes). */
const FIXED_BYTES = MAGIC.length + 6;
const MAX_HEADER_BYTES = 4096;
/** scrypt uses 128 N r = 32 MiB. Reading requires these parameters, so that no file can demand more memory. */
const SCRYPT = { N: 32_768, r: 8, p: 1 } as const;
const SCRYPT_MAX_BYTES = 48 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const PREFIX_BYTES = 7;

/** Facts about a backup that are readable without its passphrase. */
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

/** Returns the key and the check value, which reveals nothing about the key. */
function derive(passphrase: string, salt: Buffer): { key: Buffer; check: Buffer } {
  // Keyboards differ in how they compose accented letters.
  const options = { ...SCRYPT, maxmem: SCRYPT_MAX_BYTES };
  const derived = scryptSync(passphrase.normalize('NFC'), salt, KEY_BYTES + HASH_BYTES, options);
  return { key: derived.subarray(0, KEY_BYTES), check: derived.subarray(KEY_BYTES) };
}

function nonceOf(prefix: Buffer, counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(PREFIX_BYTES + 5);
  prefix.copy(nonce);
  nonce.writeUInt32BE(counter, PREFIX_BYTES);
  nonce.writeUInt8(isLast ? 1 : 0, PREFIX_BYTES + 4);
  return nonce;
}

/** Encrypts data to a new file with mode 0600. All methods throw file errors. */
export class SealedWriter {
  readonly #file: number;
  readonly #key: Buffer;
  readonly #prefix = randomBytes(PREFIX_BYTES);
  readonly #head: Buffer;
  readonly #segment = Buffer.allocUnsafe(SEGMENT_BYTES);
  readonly #hash: Hash = createHash('sha256');
  #filled = 0;
  #counter = 0;
  #bytes = 0;

  constructor(path: string, passphrase: string, about: About) {
    if (!passphrase) throw passphraseError('passphrase-missing');
    const salt = randomBytes(SALT_BYTES);
    const { key, check } = derive(passphrase, salt);
    this.#key = key;
    const header: Header = {
      ...about,
      cipher: 'aes-256-gcm',
      kdf: { name: 'scrypt', ...SCRYPT, salt: salt.toString('hex') },
      noncePrefix: this.#prefix.toString('hex'),
      passphraseCheck: check.toString('hex'),
    };
    this.#head = headBytes(FORMAT, Buffer.from(JSON.stringify(header)));
    this.#file = openSync(path, 'wx', 0o600);
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
    fsyncSync(this.#file);
    closeSync(this.#file);
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  #seal(isLast: boolean): void {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(this.#prefix, this.#counter, isLast));
    cipher.setAAD(this.#head);
    this.#put(cipher.update(this.#segment.subarray(0, this.#filled)));
    cipher.final();
    this.#put(cipher.getAuthTag());
    this.#counter += 1;
    this.#filled = 0;
  }

  #put(data: Buffer): void {
    for (let from = 0; from < data.length; ) from += writeSync(this.#file, data, from);
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

/** Decrypts a file, and returns only data whose authenticity is verified. Methods throw file errors. */
export class SealedReader {
  readonly about: About;
  readonly #file: number;
  readonly #head: Buffer;
  readonly #header: Header;
  readonly #bytes: number;
  readonly #sealed = Buffer.allocUnsafe(SEGMENT_BYTES + TAG_BYTES);
  #key: Buffer | undefined;
  #position: number;
  #counter = 0;

  /** Throws `BACKUP_DAMAGED` or `BACKUP_NEWER`. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    try {
      this.#bytes = fstatSync(this.#file).size;
      this.#head = readHead(this.#file);
      this.#header = parseHeader(this.#head);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
    const { gateway, cartId, version, madeAt } = this.#header;
    this.about = { gateway, cartId, version, madeAt };
    this.#position = this.#head.length;
  }

  /** Number of bytes that `next` has not returned yet. */
  get remaining(): number {
    const sealed = this.#bytes - this.#position;
    return Math.max(0, sealed - TAG_BYTES * Math.ceil(sealed / (SEGMENT_BYTES + TAG_BYTES)));
  }

  /** Throws `BACKUP_PASSPHRASE` if the passphrase is missing or incorrect. */
  unlock(passphrase: string): void {
    if (!passphrase) throw passphraseError('passphrase-missing');
    const { kdf, passphraseCheck } = this.#header;
    const { key, check } = derive(passphrase, Buffer.from(kdf.salt, 'hex'));
    if (!timingSafeEqual(check, Buffer.from(passphraseCheck, 'hex'))) {
      throw passphraseError('passphrase-wrong');
    }
    this.#key = key;
  }

  /** Returns the next segment's data, or undefined after the last segment. Throws `BACKUP_DAMAGED`. */
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
    const data = decipher.update(this.#sealed.subarray(0, length - TAG_BYTES));
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

/** Returns the bytes before the first segment. Throws `BACKUP_DAMAGED` or `BACKUP_NEWER`. */
function readHead(file: number): Buffer {
  const fixed = Buffer.alloc(FIXED_BYTES);
  if (!readFully(file, fixed, 0) || !fixed.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw damaged(backupMessage('not-a-backup'));
  }
  const length = fixed.readUInt32BE(MAGIC.length + 2);
  if (length > MAX_HEADER_BYTES) throw damaged(backupMessage('header-damaged'));
  const head = Buffer.alloc(FIXED_BYTES + length + HASH_BYTES);
  const end = FIXED_BYTES + length;
  if (!readFully(file, head, 0)) throw damaged(backupMessage('header-damaged'));
  const hash = createHash('sha256').update(head.subarray(0, end)).digest();
  if (!hash.equals(head.subarray(end))) throw damaged(backupMessage('header-damaged'));
  if (fixed.readUInt16BE(MAGIC.length) > FORMAT) throw newer();
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
    // The same error applies.
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

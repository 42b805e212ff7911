import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason, readSmallFile, writeFileAtomic } from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FILE_BYTES = 100;

/**
 * Encrypts TOTP secrets with a key that is not in the database or its backups, so that a leaked copy of the database
 * reveals no secrets. The backups of the whole gateway, which are encrypted, contain the key.
 */
export class TotpKey {
  readonly #file: string;
  #key: Buffer | undefined;

  private constructor(file: string, key: Buffer | undefined) {
    this.#file = file;
    this.#key = key;
  }

  /** Treats a damaged key file as missing; the next enrolment renames it to `totp-key.bak`. */
  static async load(dataDir: string, log: Log): Promise<TotpKey> {
    const file = join(dataDir, 'totp-key');
    try {
      const text = (await readSmallFile(file, FILE_BYTES)).toString('latin1').trim();
      if (/^[0-9a-f]{64}$/.test(text)) return new TotpKey(file, Buffer.from(text, 'hex'));
      log.error('access.totp_key_invalid', { file });
    } catch (error) {
      if (fileErrorCode(error) !== 'ENOENT') {
        log.error('access.totp_key_unreadable', { file, reason: fileErrorReason(error) });
      }
    }
    return new TotpKey(file, undefined);
  }

  /** Rejects with `STORE_FAILED` if a new key cannot be saved. */
  async seal(userId: number, secret: Uint8Array): Promise<Buffer> {
    this.#key ??= await this.#create();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(contextOf(userId));
    const text = Buffer.concat([cipher.update(secret), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]);
  }

  /** Returns undefined if the secret was sealed with a different key or for a different user. */
  open(userId: number, sealed: Uint8Array): Buffer | undefined {
    if (!this.#key || sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(contextOf(userId)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      return undefined;
    }
  }

  async #create(): Promise<Buffer> {
    const key = randomBytes(KEY_BYTES);
    try {
      await writeFileAtomic(this.#file, `${key.toString('hex')}\n`, { backup: true });
    } catch (cause) {
      const text = `the second-factor encryption key cannot be saved: ${fileErrorReason(cause)}`;
      throw new GatewayError('STORE_FAILED', text, { cause });
    }
    return key;
  }
}

/** Returns the additional authenticated data that binds a sealed secret to its user. */
function contextOf(userId: number): Buffer {
  return Buffer.from(`totp ${userId}`);
}

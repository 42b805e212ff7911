import { GatewayError } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason, sweepTemps, writeFileAtomic } from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';
import { JSON_MAX_BYTES } from '../../shared/validation/json.js';
import { settingsMessage } from '../messages.js';
import type { JsonObject } from './document.js';
import { isSameVersion, readVersion, renderDocument, type Version } from './version.js';

export const FILE_NAME = 'variables.json';

/** Stores the last version read or saved, to distinguish manual edits from the gateway's own writes. */
export class SettingsFile {
  readonly path: string;
  #log: Log;
  #seen: Version | undefined;
  /** True if the gateway is using the content on disk. Only content that was in use becomes the backup. */
  #isGood = false;

  constructor(path: string, log: Log) {
    this.path = path;
    this.#log = log;
  }

  get isGood(): boolean {
    return this.#isGood;
  }

  /** `found` is undefined if the file does not exist. */
  async read(): Promise<{ found: Version | undefined; isNew: boolean }> {
    const found = await readVersion(this.path);
    return { found, isNew: !isSameVersion(found, this.#seen) };
  }

  markSeen(found: Version | undefined, isGood: boolean): void {
    this.#seen = found;
    this.#isGood = isGood;
  }

  readBackup(): Promise<Version | undefined> {
    return readVersion(`${this.path}.bak`);
  }

  async removeTemps(): Promise<void> {
    await sweepTemps(this.path);
  }

  /**
   * Keeps the previous content as `.bak`, or as `.broken` if it is unusable. On `WRITE_FAILED`, or if
   * `beforeReplace` throws, the old file is unchanged.
   */
  async save(document: JsonObject, beforeReplace?: () => void): Promise<void> {
    const text = renderDocument(document);
    if (Buffer.byteLength(text) > JSON_MAX_BYTES) {
      throw new GatewayError('INVALID_INPUT', settingsMessage('too-large', { kb: JSON_MAX_BYTES / 1024 }));
    }
    try {
      if (!this.#isGood && this.#seen?.text) await writeFileAtomic(`${this.path}.broken`, this.#seen.text);
      await writeFileAtomic(this.path, text, {
        backup: this.#isGood,
        ...(beforeReplace ? { beforeReplace } : {}),
      });
    } catch (error) {
      throw error instanceof GatewayError ? error : this.#writeFailed(error);
    }
    this.#seen = { text, raw: document, problem: '', mode: this.#seen?.mode ?? 0 };
    this.#isGood = true;
  }

  #writeFailed(cause: unknown): GatewayError {
    const reason = fileErrorReason(cause);
    this.#log.error('settings.write_failed', { file: this.path, code: fileErrorCode(cause), reason });
    return new GatewayError('WRITE_FAILED', settingsMessage('file-not-saved', { file: FILE_NAME, reason }), {
      hint: settingsMessage('write-failed-hint'),
      cause,
    });
  }
}

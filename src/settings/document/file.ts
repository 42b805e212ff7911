import { GatewayError } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason, sweepTemps, writeFileAtomic } from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';
import { JSON_MAX_BYTES } from '../../shared/validation/json.js';
import { settingsMessage } from '../messages.js';
import type { JsonObject } from './document.js';
import { isSameVersion, readVersion, renderDocument, type Version } from './version.js';

export const FILE_NAME = 'variables.json';

/** variables.json on the disk, and what of it we have seen: that is how our own writes are told from a hand edit. */
export class SettingsFile {
  readonly path: string;
  #log: Log;
  #seen: Version | undefined;
  /** Whether what is on the disk is obeyed. Only then it may take the place of the backup. */
  #isGood = false;

  constructor(path: string, log: Log) {
    this.path = path;
    this.#log = log;
  }

  get isGood(): boolean {
    return this.#isGood;
  }

  /** What the file holds (undefined: there is none), and whether that is news to us. */
  async look(): Promise<{ found: Version | undefined; isNews: boolean }> {
    const found = await readVersion(this.path);
    return { found, isNews: !isSameVersion(found, this.#seen) };
  }

  /** Remembers what was found, and whether it is obeyed. */
  remember(found: Version | undefined, isGood: boolean): void {
    this.#seen = found;
    this.#isGood = isGood;
  }

  lookAtBackup(): Promise<Version | undefined> {
    return readVersion(`${this.path}.bak`);
  }

  async sweep(): Promise<void> {
    await sweepTemps(this.path);
  }

  /**
   * Replaces the file. The version before stays as `.bak`; one that could not be obeyed goes to `.broken` instead, for
   * whoever wrote it. Rejects with `WRITE_FAILED`, or with what `beforeReplace` throws, and the old file intact.
   */
  async save(document: JsonObject, beforeReplace?: () => void): Promise<void> {
    const text = renderDocument(document);
    if (Buffer.byteLength(text) > JSON_MAX_BYTES) {
      throw new GatewayError('INVALID_INPUT', `the settings are larger than ${JSON_MAX_BYTES / 1024} kB`);
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
      hint: 'The settings are as they were. Put the disk right and save again.',
      cause,
    });
  }
}

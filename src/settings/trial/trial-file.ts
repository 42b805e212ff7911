import { readFile } from 'node:fs/promises';
import { type Actor, readActor } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import {
  fileErrorCode,
  fileErrorReason,
  removeFile,
  sweepTemps,
  writeFileAtomic,
} from '../../shared/files.js';
import { messageJson } from '../../shared/messages/message.js';
import type { Log } from '../../shared/ports/log.js';
import type { JsonObject } from '../document/document.js';

/** Data for rolling a change back. Contains a secret only if the secret's section was changed. */
export interface TrialRecord {
  id: string;
  by: Actor;
  before: JsonObject;
  after: JsonObject;
}

/**
 * Stores the change on trial in a file before the change is saved, so that the next start can roll the
 * change back after a power cut. The file's mode is 0600.
 */
export class TrialFile {
  readonly #path: string;
  readonly #log: Log;

  constructor(settingsPath: string, log: Log) {
    this.#path = `${settingsPath}.trial`;
    this.#log = log;
  }

  async read(): Promise<TrialRecord | undefined> {
    await sweepTemps(this.#path);
    try {
      const record = JSON.parse(await readFile(this.#path, 'utf8')) as Partial<TrialRecord> | null;
      // Version 0.2 stored only the actor's name.
      if (record?.id && record.by && record.before && record.after)
        return { ...(record as TrialRecord), by: readActor(record.by) };
      throw new Error('the file does not contain a settings trial');
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return undefined;
      this.#log.error('settings.trial_unreadable', { file: this.#path, reason: messageOf(error) });
      return undefined;
    }
  }

  /** Rejects with `WRITE_FAILED`. */
  async write(record: TrialRecord): Promise<void> {
    await this.#attempt('cannot be started', () => writeFileAtomic(this.#path, messageJson(record)));
  }

  /** Resolves when the removal is durable. Rejects with `WRITE_FAILED`. */
  async remove(): Promise<void> {
    await this.#attempt('cannot be ended', () => removeFile(this.#path));
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      const reason = fileErrorReason(cause);
      this.#log.error('settings.trial_failed', { file: this.#path, reason: messageOf(cause) });
      throw new GatewayError('WRITE_FAILED', `the settings trial ${what}: ${reason}`, {
        hint: 'Fix the disk problem, then try again.',
        cause,
      });
    }
  }
}

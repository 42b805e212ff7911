import { readFile } from 'node:fs/promises';
import { GatewayError, messageOf } from '../../shared/errors.js';
import {
  fileErrorCode,
  fileErrorReason,
  removeFile,
  sweepTemps,
  writeFileAtomic,
} from '../../shared/files.js';
import type { Log } from '../../shared/ports/log.js';
import { undoChanges } from '../document/diff.js';
import { type JsonObject, type Reading, readDocument } from '../document/document.js';

/** A change on trial: what it takes to undo it. Holds secrets only when their section was changed. */
export interface TrialRecord {
  id: string;
  by: string;
  /** The sections that the change touches, as they were. */
  before: JsonObject;
  /** The same sections as the change made them. */
  after: JsonObject;
}

/**
 * `variables.json.trial` (mode 0600): there as long as a change waits to be confirmed. It is on the disk before the change
 * is, so that after a power cut at any instant the next start knows that there is something to undo.
 */
export class TrialFile {
  readonly #path: string;
  readonly #log: Log;

  constructor(settingsPath: string, log: Log) {
    this.#path = `${settingsPath}.trial`;
    this.#log = log;
  }

  /** The change that nobody had confirmed when the gateway ended; undefined when there is none. */
  async read(): Promise<TrialRecord | undefined> {
    await sweepTemps(this.#path);
    try {
      const record = JSON.parse(await readFile(this.#path, 'utf8')) as Partial<TrialRecord> | null;
      if (record?.id && record.by && record.before && record.after) return record as TrialRecord;
      throw new Error('it is not the record of a change');
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return undefined;
      this.#log.error('settings.trial_unreadable', { file: this.#path, reason: messageOf(error) });
      return undefined;
    }
  }

  /** Rejects with `WRITE_FAILED`. */
  async write(record: TrialRecord): Promise<void> {
    await this.#attempt('was not begun', () => writeFileAtomic(this.#path, JSON.stringify(record)));
  }

  /** Resolves when it is gone for good, a power cut included. Rejects with `WRITE_FAILED`. */
  async remove(): Promise<void> {
    await this.#attempt('is not over', () => removeFile(this.#path));
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      const reason = fileErrorReason(cause);
      this.#log.error('settings.trial_failed', { file: this.#path, reason: messageOf(cause) });
      throw new GatewayError('WRITE_FAILED', `the trial of the change ${what}: ${reason}`, {
        hint: 'Put the disk right and try again.',
        cause,
      });
    }
  }
}

/**
 * The settings without the change on trial. What somebody changed for good meanwhile stays, unless the two do not fit
 * together: then the sections are as they were before.
 */
export function undoTrial(now: Reading, { before, after }: TrialRecord): Reading {
  const undone = readDocument(undoChanges(now.document, before, after));
  if (undone.invalid.size === 0) return undone;
  return readDocument({ ...now.document, ...before });
}

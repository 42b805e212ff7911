import { isDeepStrictEqual } from 'node:util';
import { actorName } from '../../shared/actor.js';
import { type Fault, messageOf } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import { revertChanges } from '../document/diff.js';
import { type ReadDocument, readDocument } from '../document/document.js';
import { FILE_NAME, type SettingsFile } from '../document/file.js';
import { RESTART } from '../history/history.js';
import type { Section } from '../schema/schema.js';
import type { LeftoverTrial } from './trial.js';
import type { TrialFile, TrialRecord } from './trial-file.js';

/**
 * Returns the settings without the change on trial, but with all later changes. A section of the trial that would
 * become invalid is restored as a whole.
 */
export function withoutTrial(now: ReadDocument, { before, after }: TrialRecord): ReadDocument {
  const reverted = readDocument(revertChanges(now.document, before, after));
  // A section that was already invalid is not in conflict with the rollback.
  const conflicting = Object.entries(before).filter(
    ([name]) => reverted.invalid.has(name as Section) && !now.invalid.has(name as Section),
  );
  if (conflicting.length === 0) return reverted;
  return readDocument({ ...reverted.document, ...Object.fromEntries(conflicting) });
}

interface RolledBack {
  reading: ReadDocument;
  /** Present if the settings could not be saved or the record could not be removed; `fault` contains the reason. */
  leftover?: LeftoverTrial;
  fault?: Fault;
}

/** Rolls back the change of a trial that a restart has ended. Takes effect even if the settings cannot be saved. */
export async function rollBackTrial(
  now: ReadDocument,
  record: TrialRecord,
  { file, trial, log }: { file: SettingsFile; trial: TrialFile; log: Log },
): Promise<RolledBack> {
  const result: RolledBack = { reading: withoutTrial(now, record) };
  const leftover = { isUnsaved: true, isRetried: true };
  try {
    await file.save(result.reading.document);
    leftover.isUnsaved = false;
    // The record is removed only after a successful save.
    await trial.remove();
  } catch (error) {
    Object.assign(result, { leftover, fault: { path: FILE_NAME, message: messageOf(error) } });
  }
  // After a power cut, the file may not contain the change yet, or may no longer contain it.
  if (!isDeepStrictEqual(result.reading.document, now.document)) {
    log.warn('settings.rolled_back', {
      id: record.id,
      by: actorName(RESTART),
      madeBy: actorName(record.by),
    });
  }
  return result;
}

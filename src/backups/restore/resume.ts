import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { actorName } from '../../shared/actor.js';
import { errorText, GatewayError } from '../../shared/errors.js';
import { fileErrorCode, fileErrorReason } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import type { RestorableDatabase } from '../../shared/ports/gateway-restore.js';
import type { Log } from '../../shared/ports/log.js';
import { pathsToReplace } from '../contents.js';
import { type DiskOperations, RestoreFiles } from './files.js';
import { GENERATION_FILE, readGeneration } from './generation.js';
import { countStart, failed, onTrial, type RestoreJournal, returned, switching, taskOf } from './machine.js';
import { restoreMessage } from './messages.js';

export interface ResumeOptions {
  dir: string;
  database: RestorableDatabase;
  log: Log;
  /** Replaced in tests. */
  disk?: DiskOperations;
}

/**
 * Continues a restore at startup, before any file of the data directory is opened: replaces the files, or puts the
 * previous files back. If it is interrupted at any point, the next start continues it, so that the gateway never starts
 * with a mixture of two states. Throws `DATA_DIR_UNUSABLE` if a disk error makes this impossible.
 * @returns true if the restore, or the return to the previous state, has replaced the data.
 */
export function resumeRestore({ dir, database, log, disk }: ResumeOptions): boolean {
  const files = new RestoreFiles(dir, disk);
  const found = files.read();
  if (!found) {
    removeRemains(files, log);
    return false;
  }
  let journal = found;
  try {
    database.freeReserve(dir);
    const counted = countStart(journal);
    if (counted !== journal) journal = files.write(counted);
    for (let task = taskOf(journal); task !== 'none'; task = taskOf(journal)) {
      if (task === 'clean') {
        files.clean();
        if (journal.step === 'confirmed') files.end();
        break;
      }
      journal = files.write(perform(task, journal, { files, database, log }));
    }
  } catch (error) {
    rejectMixture(files.read() ?? journal, error, log);
  }
  logOutcome(journal, log);
  return journal.replacements.length > 0;
}

interface Resources {
  files: RestoreFiles;
  database: RestorableDatabase;
  log: Log;
}

/**
 * Returns the next journal. If the restore fails, the next step is the return to the previous state; if the
 * return fails, throws the error.
 */
function perform(
  task: 'prepare' | 'switch' | 'return',
  journal: RestoreJournal,
  { files, database, log }: Resources,
): RestoreJournal {
  const { dir } = files;
  if (task === 'return') {
    const [trial, previous] = [dir, files.previous].map((folder) => join(folder, database.revocations));
    // If the restore failed, the restored database was never used.
    const wasUsed = journal.reason !== 'failed';
    const from = relative(dir, files.previous);
    database.keepRevocations({
      from: trial ?? '',
      into: previous ?? '',
      after: journal.lastRevocation,
      returnedFrom: wasUsed ? from : undefined,
    });
    files.switchBack(journal.replacements, pathsToReplace(readdirSync(dir), journal.groups));
    if (!wasUsed) return returned(journal);
    const kept = files.keepDiscarded(database.database, journal.at);
    const by = journal.returnedBy ?? journal.by;
    database.recordReturn({ dir, by, from, kept });
    if (kept) {
      const operations = database.operationsIn(join(dir, kept));
      log.warn('restore.database_kept', { name: journal.name, kept, operations });
    }
    return returned(journal);
  }
  try {
    if (task === 'switch') {
      files.switchOver(journal.replacements);
      return onTrial(journal);
    }
    const { name, by, at } = journal;
    const { staged } = files;
    const { paths, lastRevocation } = database.prepare({
      dir,
      staged,
      prepared: files.makePrepared(),
      name,
      by,
      at,
    });
    const generation = 1 + Math.max(readGeneration(dir), readGeneration(staged));
    files.prepare(GENERATION_FILE, `${generation}\n`);
    const names = [...readdirSync(dir), ...readdirSync(staged), GENERATION_FILE];
    const replacements = files.plan([...pathsToReplace(names, journal.groups), ...paths]);
    return switching(journal, { replacements, lastRevocation });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    log.error('restore.failed', { name: journal.name, reason: reasonOf(error) });
    return failed(journal, reasonOf(error));
  }
}

/** Thrown by tests to simulate a kill; no code may handle it. */
export class Interrupted extends Error {}

function reasonOf(error: unknown): Text {
  return fileErrorCode(error) ? fileErrorReason(error) : errorText(error);
}

/** A disk that cannot be written to must not prevent a start, unless some of the files have been replaced. */
function rejectMixture(journal: RestoreJournal, error: unknown, log: Log): void {
  if (error instanceof Interrupted) throw error;
  if (journal.step !== 'switching' && journal.step !== 'returning') {
    log.error('restore.resume_failed', { name: journal.name, step: journal.step, reason: reasonOf(error) });
    return;
  }
  const text = restoreMessage('unfinished', { name: journal.name, reason: reasonOf(error) });
  throw new GatewayError('DATA_DIR_UNUSABLE', text, {
    cause: error,
    hint: restoreMessage('unfinished-hint'),
  });
}

/**
 * An interruption before the first journal is written, or after the last one is deleted, leaves a folder
 * without a journal.
 */
function removeRemains(files: RestoreFiles, log: Log): void {
  if (!existsSync(files.folder)) return;
  try {
    files.end();
  } catch (error) {
    log.warn('restore.clean_failed', { folder: files.folder, reason: reasonOf(error) });
  }
}

function logOutcome({ step, name, by, starts, reason, detail }: RestoreJournal, log: Log): void {
  const fields = { name, by: actorName(by) };
  if (step === 'trial') log.warn('restore.trial_started', { ...fields, starts });
  if (step === 'waiting') log.warn('restore.unconfirmed', fields);
  if (step === 'returned')
    log.warn('restore.undone', { ...fields, why: reason, ...(detail ? { detail } : {}) });
}

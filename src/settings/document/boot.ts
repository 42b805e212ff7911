import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Fault, GatewayError, messageOf } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Log } from '../../shared/ports/log.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { HAND_EDIT, RESTART, type SettingsHistory, type StoredVersion } from '../history/history.js';
import { settingsMessage } from '../messages.js';
import { SECRETS } from '../schema/schema.js';
import { rollBackTrial } from '../trial/rollback.js';
import type { LeftoverTrial } from '../trial/trial.js';
import type { TrialFile } from '../trial/trial-file.js';
import { type JsonObject, type ReadDocument, readDocument } from './document.js';
import { FILE_NAME, type SettingsFile } from './file.js';
import { MASK, stringAt } from './merge.js';
import type { Version } from './version.js';

/** Files that exist in a data directory only after a gateway has used it. */
const TRACES = [
  'cartwright.db',
  'commit-number',
  'lost-writes.json',
  'revocations.journal',
  'sessions.json',
  'estop.json',
  'site-plan.json',
  'first-run.json',
  'commissioning.json',
];

export interface BootFiles {
  file: SettingsFile;
  trial: TrialFile;
  log: Log;
  /** See `isNewDirectory`. */
  isNew: boolean;
}

export interface Boot {
  reading: ReadDocument;
  faults: Fault[];
  /** Why the defaults are used; empty if the file or its backup was used. */
  lost: string;
  /** A trial whose record could not be removed, or must not be removed yet. */
  leftover?: LeftoverTrial;
}

/** Returns the settings for a new installation. Throws `CONFIG_INVALID` with all errors in `initial`. */
export function seedReading(initial: unknown): ReadDocument {
  const faults = seedFaults(initial);
  if (isJsonObject(initial) && faults.length === 0) return readDocument(initial);
  const named = faults.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new GatewayError('CONFIG_INVALID', `invalid initial settings: ${named}`, { faults });
}

export function seedFaults(initial: unknown): Fault[] {
  if (!isJsonObject(initial)) return [{ path: '', message: 'must be an object' }];
  const { unknown, invalid } = readDocument(initial);
  return [...unknown, ...[...invalid.values()].flat()];
}

/**
 * Returns true unless a gateway has already run with this data directory. Call this before any other part of the
 * gateway writes to it.
 */
export function isNewDirectory(dir: string): boolean {
  const traces = [...TRACES, ...['bak', 'broken', 'trial'].map((kind) => `${FILE_NAME}.${kind}`)];
  return !traces.some((name) => existsSync(join(dir, name)));
}

/** Loads the settings, rolls back unconfirmed changes, and records the result in the history. */
export async function boot(files: BootFiles, seed: ReadDocument, history: SettingsHistory): Promise<Boot> {
  const found = await bootSettings(files, seed, history);
  const record = await files.trial.read();
  if (found.lost) {
    // The unreadable file may contain the change on trial, so a later start must roll it back.
    if (record) {
      files.log.warn('settings.rollback_deferred', { id: record.id, reason: found.lost });
      found.leftover = { isUnsaved: false, isRetried: false };
    }
    // The defaults that replace lost settings must not become the latest version.
    return found;
  }
  const { document } = found.reading;
  await history.add(document, { by: HAND_EDIT, why: 'start' });
  if (record) {
    const { reading, leftover, fault } = await rollBackTrial(found.reading, record, files);
    found.reading = reading;
    if (leftover) found.leftover = leftover;
    if (fault) found.faults.push(fault);
    // The history ignores secrets when it compares versions, so a rollback that changes only a secret is compared and
    // added explicitly.
    if (!isDeepStrictEqual(found.reading.document, document))
      await history.add(found.reading.document, { by: RESTART, why: 'rollback' }, document);
  }
  return found;
}

/**
 * Loads the settings file or, if it is missing or unusable, the last settings that were saved. The seed is used in only
 * two cases: the data directory is new, or nothing else is usable. Accepts invalid sections.
 */
async function bootSettings(
  { file, log, isNew }: BootFiles,
  seed: ReadDocument,
  history: SettingsHistory,
): Promise<Boot> {
  await file.removeTemps();
  const { found } = await file.read();
  file.markSeen(found, found?.raw !== undefined);
  if (!found && isNew && history.isEmpty) {
    log.info('settings.created', { file: file.path });
    return { reading: seed, faults: await trySave(file, seed), lost: '' };
  }
  if (!found?.raw)
    return bootWithoutFile(file, found?.problem ?? settingsMessage('file-missing'), { seed, history, log });

  warnIfExposed(found, file.path, log);
  const reading = readDocument(found.raw);
  const faults = maskedSecrets(found.raw);
  // A file with errors is left unchanged; a valid but incomplete file is completed.
  const isClean = reading.invalid.size + reading.unknown.length + faults.length === 0;
  if (isClean && !isDeepStrictEqual(found.raw, reading.document))
    faults.push(...(await trySave(file, reading)));
  return { reading, faults, lost: '' };
}

interface Fallbacks {
  seed: ReadDocument;
  history: SettingsHistory;
  log: Log;
}

async function bootWithoutFile(
  file: SettingsFile,
  problem: Text,
  { seed, history, log }: Fallbacks,
): Promise<Boot> {
  const backup = (await file.readBackup())?.raw;
  const version = newerVersion(history, backup);
  const raw = version?.document ?? backup;
  if (raw) {
    log.warn('settings.backup_used', {
      file: file.path,
      problem,
      ...(version ? { version: version.version } : {}),
    });
    const message = version
      ? settingsMessage('version-used', { reason: problem, version: version.version })
      : settingsMessage('backup-used', { reason: problem, file: FILE_NAME });
    const faults = [{ path: FILE_NAME, message }, ...maskedSecrets(raw, backup)];
    return { reading: readDocument(raw, backup), faults, lost: '' };
  }
  const lost = `${textOf(problem)}, and there is no usable backup; the default settings are in use`;
  log.error('settings.defaults_used', { file: file.path, problem });
  return { reading: seed, faults: [{ path: FILE_NAME, message: lost }], lost };
}

/**
 * Returns the latest version in the history if it is newer than the backup, which is the version before the last save.
 * Wall-clock times are not compared: the latest version is newer if the history contains the backup. Only the backup
 * contains secrets, so it is preferred if both are the same.
 */
function newerVersion(history: SettingsHistory, backup: JsonObject | undefined): StoredVersion | undefined {
  const newest = history.newest();
  if (!newest || !backup) return newest;
  return !history.isSame(newest, backup) && history.includes(backup) ? newest : undefined;
}

/** The gateway starts even if the disk is not writable, with the settings only in memory. */
async function trySave(file: SettingsFile, { document }: ReadDocument): Promise<Fault[]> {
  try {
    await file.save(document);
    return [];
  } catch (error) {
    return [{ path: FILE_NAME, message: messageOf(error) }];
  }
}

/** @param old the document that supplies the values of masked secrets. */
function maskedSecrets(raw: unknown, old: unknown = {}): Fault[] {
  const isMasked = (pointer: string): boolean =>
    stringAt(raw, pointer) === MASK && stringAt(old, pointer) === '';
  return SECRETS.filter(isMasked).map((pointer) => ({
    path: `${FILE_NAME}:${pointer}`,
    message: settingsMessage('masked'),
  }));
}

function warnIfExposed({ raw, mode }: Version, path: string, log: Log): void {
  const hasSecret = [...SECRETS, '/password', '/broker/password'].some((pointer) => stringAt(raw, pointer));
  if (!hasSecret || (mode & 0o137) === 0) return;
  log.warn('settings.file_exposed', {
    file: path,
    mode: mode.toString(8).padStart(4, '0'),
    hint: 'Other users can read the password in the settings file. Run chmod 600 on the file, or use a password file.',
  });
}

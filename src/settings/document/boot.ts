import { isDeepStrictEqual } from 'node:util';
import { type Fault, GatewayError, messageOf } from '../../shared/errors.js';
import type { Log } from '../../shared/ports/log.js';
import { isJsonObject } from '../../shared/validation/json.js';
import type { SettingsHistory } from '../history/history.js';
import { settingsMessage } from '../messages.js';
import { SECRETS } from '../schema/schema.js';
import { type TrialFile, undoTrial } from '../trial/trial-file.js';
import { type Reading, readDocument } from './document.js';
import { FILE_NAME, type SettingsFile } from './file.js';
import { MASK, stringAt } from './merge.js';
import type { Version } from './version.js';

const AT_START = 'restart';

export interface BootFiles {
  file: SettingsFile;
  trial: TrialFile;
  log: Log;
}

export interface Boot {
  reading: Reading;
  faults: Fault[];
  /** The reason why the defaults are used; empty if the file or its backup was used. */
  lost: string;
}

/** Returns the settings for a new installation. Throws `CONFIG_INVALID` with all errors in `initial`. */
export function seedReading(initial: unknown): Reading {
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

/** Loads the settings, rolls back unconfirmed changes, and records the result in the history. */
export async function boot(files: BootFiles, seed: Reading, history: SettingsHistory): Promise<Boot> {
  const found = await bootSettings(files.file, seed, files.log);
  if (await undoTrialOf(found, files)) {
    await history.add(found.reading.document, { by: AT_START, why: 'rollback' });
  }
  await history.add(found.reading.document, { by: FILE_NAME, why: 'start' });
  return found;
}

/** Loads the first usable one of the settings file, its backup and the seed. Accepts invalid sections. */
async function bootSettings(file: SettingsFile, seed: Reading, log: Log): Promise<Boot> {
  await file.removeTemps();
  const { found } = await file.read();
  file.markSeen(found, found?.raw !== undefined);
  if (!found) {
    log.info('settings.created', { file: file.path });
    return { reading: seed, faults: await trySave(file, seed), lost: '' };
  }
  if (!found.raw) return bootFromBackup(file, found, seed, log);

  warnIfExposed(found, file.path, log);
  const reading = readDocument(found.raw);
  const faults = maskedSecrets(found.raw);
  // A file with errors is left unchanged; a valid but incomplete file is completed.
  const isClean = reading.invalid.size + reading.unknown.length + faults.length === 0;
  if (isClean && !isDeepStrictEqual(found.raw, reading.document))
    faults.push(...(await trySave(file, reading)));
  return { reading, faults, lost: '' };
}

async function undoTrialOf(boot: Boot, { file, trial, log }: BootFiles): Promise<boolean> {
  const record = await trial.read();
  if (!record) return false;
  try {
    if (!boot.lost) {
      // Takes effect even if the save fails; the trial record is removed only after a successful save.
      boot.reading = undoTrial(boot.reading, record);
      await file.save(boot.reading.document);
    }
    await trial.remove();
  } catch (error) {
    boot.faults.push({ path: FILE_NAME, message: messageOf(error) });
  }
  log.warn('settings.rolled_back', { id: record.id, by: AT_START, madeBy: record.by });
  return true;
}

async function bootFromBackup(file: SettingsFile, found: Version, seed: Reading, log: Log): Promise<Boot> {
  const backup = await file.readBackup();
  if (backup?.raw) {
    log.warn('settings.backup_used', { file: file.path, problem: found.problem });
    const message = settingsMessage('backup-used', { reason: found.problem, file: FILE_NAME });
    return { reading: readDocument(backup.raw), faults: [{ path: FILE_NAME, message }], lost: '' };
  }
  const lost = `${found.problem}, and there is no usable backup; the default settings are in use`;
  log.error('settings.defaults_used', { file: file.path, problem: found.problem });
  return { reading: seed, faults: [{ path: FILE_NAME, message: lost }], lost };
}

/** The gateway starts even if the disk is not writable, with the settings only in memory. */
async function trySave(file: SettingsFile, { document }: Reading): Promise<Fault[]> {
  try {
    await file.save(document);
    return [];
  } catch (error) {
    return [{ path: FILE_NAME, message: messageOf(error) }];
  }
}

function maskedSecrets(raw: unknown): Fault[] {
  return SECRETS.filter((pointer) => stringAt(raw, pointer) === MASK).map((pointer) => ({
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

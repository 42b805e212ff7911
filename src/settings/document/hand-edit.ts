import { isDeepStrictEqual } from 'node:util';
import { errorText, type Fault } from '../../shared/errors.js';
import { settingsMessage } from '../messages.js';
import type { Settings } from '../schema/schema.js';
import { compareSettings, refuseWhileMoving, type SettingsChange } from './change.js';
import { type Reading, readDocument } from './document.js';
import { faultsOf } from './faults.js';
import { FILE_NAME, type SettingsFile } from './file.js';

/** What an edit of the file by hand comes to. */
export type HandEdit =
  | { kind: 'none' }
  | { kind: 'refused'; faults: Fault[] }
  /** It reaches into sections that must hold still while the cart moves. */
  | { kind: 'waits'; faults: Fault[] }
  | { kind: 'taken'; next: Reading; change: SettingsChange; faults: Fault[] };

/**
 * Looks whether somebody else has written variables.json, and whether that can be obeyed. An edit is taken whole or not
 * at all: half of it could be a speed without its limit.
 */
export async function readHandEdit(
  file: SettingsFile,
  now: { reading: Reading; started: Settings; isIdle: () => boolean },
): Promise<HandEdit> {
  const { found, isNews } = await file.look();
  if (!isNews) return { kind: 'none' };
  if (!found?.raw) {
    file.remember(found, false);
    const message = found ? `${found.problem}; the settings before stay in use` : 'the file was removed';
    return { kind: 'refused', faults: [{ path: FILE_NAME, message }] };
  }
  const next = readDocument(found.raw, now.reading.document);
  if (next.invalid.size > 0) {
    file.remember(found, false);
    return { kind: 'refused', faults: faultsOf(next) };
  }
  const change = compareSettings(now.started, now.reading.settings, next.settings);
  try {
    refuseWhileMoving(change, now.isIdle);
  } catch (error) {
    return {
      kind: 'waits',
      faults: [{ path: FILE_NAME, message: settingsMessage('edit-waits', { reason: errorText(error) }) }],
    };
  }
  file.remember(found, true);
  return { kind: 'taken', next, change, faults: await complete(file, next, found.raw) };
}

/** Writes what the edit left out, and the secrets that it left masked; not over members that we do not know. */
async function complete(file: SettingsFile, next: Reading, raw: unknown): Promise<Fault[]> {
  if (next.unknown.length > 0 || isDeepStrictEqual(raw, next.document)) return [];
  try {
    await file.save(next.document);
    return [];
  } catch (error) {
    return [{ path: FILE_NAME, message: errorText(error) }];
  }
}

import { isDeepStrictEqual } from 'node:util';
import { errorText, type Fault } from '../../shared/errors.js';
import { settingsMessage } from '../messages.js';
import type { Settings } from '../schema/schema.js';
import { compareSettings, refuseWhileMoving, type SettingsChange } from './change.js';
import { type ReadDocument, readDocument } from './document.js';
import { faultsOf } from './faults.js';
import { FILE_NAME, type SettingsFile } from './file.js';

export type HandEdit =
  | { kind: 'none' }
  | { kind: 'rejected'; faults: Fault[] }
  /** The edit changes sections that can be changed only while the cart is stationary. */
  | { kind: 'deferred'; faults: Fault[] }
  | { kind: 'applied'; next: ReadDocument; change: SettingsChange; faults: Fault[] };

/**
 * Applies a manual edit completely or not at all, because a partial edit could change a speed but not its limit.
 */
export async function readHandEdit(
  file: SettingsFile,
  now: { reading: ReadDocument; started: Settings; isIdle: () => boolean },
): Promise<HandEdit> {
  const { found, isNew } = await file.read();
  if (!isNew) return { kind: 'none' };
  if (!found?.raw) {
    file.markSeen(found, false);
    const message = found
      ? settingsMessage('previous-used', { reason: found.problem })
      : settingsMessage('file-removed');
    return { kind: 'rejected', faults: [{ path: FILE_NAME, message }] };
  }
  const next = readDocument(found.raw, now.reading.document);
  if (next.invalid.size > 0) {
    file.markSeen(found, false);
    return { kind: 'rejected', faults: faultsOf(next) };
  }
  const change = compareSettings(now.started, now.reading.settings, next.settings);
  try {
    refuseWhileMoving(change, now.isIdle);
  } catch (error) {
    return {
      kind: 'deferred',
      faults: [{ path: FILE_NAME, message: settingsMessage('edit-deferred', { reason: errorText(error) }) }],
    };
  }
  file.markSeen(found, true);
  return { kind: 'applied', next, change, faults: await complete(file, next, found.raw) };
}

/** Saves the document with defaults and masked secrets filled in, unless the file has unknown members. */
async function complete(file: SettingsFile, next: ReadDocument, raw: unknown): Promise<Fault[]> {
  if (next.unknown.length > 0 || isDeepStrictEqual(raw, next.document)) return [];
  try {
    await file.save(next.document);
    return [];
  } catch (error) {
    return [{ path: FILE_NAME, message: errorText(error) }];
  }
}

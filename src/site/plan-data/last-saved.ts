import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskError, fileErrorCode, fileErrorReason, writeFileAtomic } from '../../shared/files.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { siteMessage } from '../messages.js';
import type { PlanContent } from './schema.js';

interface SavedPlan extends PlanContent {
  planHash: string;
  mmPerPixel: number;
  version: number;
  isShared: boolean;
}

/** `version` is missing in files of earlier versions of the gateway. */
interface SavedRecord {
  /** Empty if the plan had no zones and places. */
  sha256: string;
  version?: number;
  /** True if another gateway had published the plan. */
  isShared?: boolean;
}

/**
 * The hash and the version of the site plan that was saved or confirmed last, in `site-plan.json`, outside the database.
 * If the database contains another plan, it has been replaced or restored, or has lost writes. If the file is missing, no
 * plan has been saved with this data directory.
 */
export class LastSaved {
  readonly #path: string;
  /** Undefined if the file is missing, null if it is unreadable. */
  #record: SavedRecord | undefined | null;

  private constructor(path: string, record: SavedRecord | undefined | null) {
    this.#path = path;
    this.#record = record;
  }

  /**
   * @param isIncomplete true if the database may lack the latest changes. If the file is missing, any zones and places in
   * the database must then be confirmed, also after a restart.
   */
  static async open({ dir, isIncomplete }: { dir: string; isIncomplete: boolean }): Promise<LastSaved> {
    const path = join(dir, 'site-plan.json');
    const lastSaved = new LastSaved(path, await read(path));
    if (lastSaved.#record === undefined && isIncomplete) {
      lastSaved.#record = { sha256: '' };
      await lastSaved.#write({ sha256: '' }).catch(() => undefined);
    }
    return lastSaved;
  }

  /** The version of the last saved plan if another gateway had published it; otherwise 0. */
  get sharedVersion(): number {
    const { version = 0, isShared = false } = this.#record ?? {};
    return isShared ? version : 0;
  }

  isSame(plan: SavedPlan): boolean {
    return this.#record === undefined || this.#record?.sha256 === hashOf(plan);
  }

  /** Resolves when the hash is on disk. Rejects with `STORE_FULL` or `STORE_FAILED`. */
  save(plan: SavedPlan): Promise<void> {
    const { version, isShared } = plan;
    return this.#write({ sha256: hashOf(plan), version, isShared });
  }

  async #write(record: SavedRecord): Promise<void> {
    try {
      await writeFileAtomic(this.#path, `${JSON.stringify(record)}\n`);
    } catch (error) {
      throw diskError(siteMessage('not-recorded', { reason: fileErrorReason(error) }), error);
    }
    this.#record = record;
  }
}

async function read(path: string): Promise<SavedRecord | undefined | null> {
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isJsonObject(json) || typeof json.sha256 !== 'string') return null;
    const { sha256, version } = json;
    return typeof version === 'number' ? { sha256, version, isShared: json.isShared === true } : { sha256 };
  } catch (error) {
    return fileErrorCode(error) === 'ENOENT' ? undefined : null;
  }
}

function hashOf({ zones, places, routes, planHash, mmPerPixel }: SavedPlan): string {
  if (zones.length === 0 && places.length === 0 && routes.length === 0) return '';
  return createHash('sha256')
    .update(JSON.stringify([zones, places, routes, planHash, mmPerPixel]))
    .digest('hex');
}

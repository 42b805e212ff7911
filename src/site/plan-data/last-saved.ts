import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskError, fileErrorCode, fileErrorReason, writeFileAtomic } from '../../shared/files.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { siteMessage } from '../messages.js';
import type { PlanContent } from './schema.js';

interface HashedPlan extends PlanContent {
  planHash: string;
  mmPerPixel: number;
}

/**
 * The hash of the site plan that was saved or confirmed last, in `site-plan.json`, outside the database. If the database
 * contains another plan, it has been replaced or restored, or has lost writes. If the file is missing, no plan has been
 * saved with this data directory.
 */
export class LastSaved {
  readonly #path: string;
  /** Empty if the plan had no zones and places; undefined if the file is missing, null if it is unreadable. */
  #sha256: string | undefined | null;

  private constructor(path: string, sha256: string | undefined | null) {
    this.#path = path;
    this.#sha256 = sha256;
  }

  /**
   * @param isIncomplete true if the database may lack the latest changes. If the file is missing, any zones and places in
   * the database must then be confirmed, also after a restart.
   */
  static async open({ dir, isIncomplete }: { dir: string; isIncomplete: boolean }): Promise<LastSaved> {
    const path = join(dir, 'site-plan.json');
    const lastSaved = new LastSaved(path, await read(path));
    if (lastSaved.#sha256 === undefined && isIncomplete) {
      lastSaved.#sha256 = '';
      await lastSaved.#write('').catch(() => undefined);
    }
    return lastSaved;
  }

  isSame(plan: HashedPlan): boolean {
    return this.#sha256 === undefined || this.#sha256 === hashOf(plan);
  }

  /** Resolves when the hash is on disk. Rejects with `STORE_FULL` or `STORE_FAILED`. */
  save(plan: HashedPlan): Promise<void> {
    return this.#write(hashOf(plan));
  }

  async #write(sha256: string): Promise<void> {
    try {
      await writeFileAtomic(this.#path, `${JSON.stringify({ sha256 })}\n`);
    } catch (error) {
      throw diskError(siteMessage('not-recorded', { reason: fileErrorReason(error) }), error);
    }
    this.#sha256 = sha256;
  }
}

async function read(path: string): Promise<string | undefined | null> {
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isJsonObject(json) && typeof json.sha256 === 'string' ? json.sha256 : null;
  } catch (error) {
    return fileErrorCode(error) === 'ENOENT' ? undefined : null;
  }
}

function hashOf({ zones, places, routes, planHash, mmPerPixel }: HashedPlan): string {
  if (zones.length === 0 && places.length === 0 && routes.length === 0) return '';
  return createHash('sha256')
    .update(JSON.stringify([zones, places, routes, planHash, mmPerPixel]))
    .digest('hex');
}

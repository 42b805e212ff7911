import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { openFolder, removeLeftovers, writeFileAtomic } from '../../shared/files.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { parseJson } from '../../shared/validation/json.js';
import { diffDocuments, maskChanges, type ValueChange } from '../document/diff.js';
import type { JsonObject } from '../document/document.js';
import { MASK, mapStrings } from '../document/merge.js';
import { SECRETS } from '../schema/schema.js';

const FOLDER = 'settings-history';
const KEPT = 20;

/** How a version came to be; `start`: found in the file when the gateway was started. */
export type Why = 'start' | 'save' | 'import' | 'restore' | 'rollback' | 'hand-edit';

/** A version of the settings, without its document. */
export interface VersionEntry {
  /** 1, 2, 3, …; never used twice. */
  version: number;
  /** Wall clock, ms. */
  atMs: number;
  by: string;
  why: Why;
  /** What differs from the version before; secrets as `***`. */
  changes: readonly ValueChange[];
}

type StoredVersion = VersionEntry & { document: JsonObject };

/**
 * The last 20 versions of the settings, one file each (mode 0600) in `settings-history`. Secrets are masked before
 * anything is written: there is one place on the disk for a password, and this is not it.
 */
export class SettingsHistory {
  readonly #dir: string;
  readonly #o: { clock: Clock; log: Log };
  /** Oldest first. */
  #versions: StoredVersion[] = [];
  #next = 1;

  private constructor(dir: string, o: { clock: Clock; log: Log }) {
    this.#dir = dir;
    this.#o = o;
  }

  /** Reads what there is; a version that cannot be read is left out and said in the log. */
  static async open(o: { dir: string; clock: Clock; log: Log }): Promise<SettingsHistory> {
    const history = new SettingsHistory(join(o.dir, FOLDER), o);
    try {
      await history.#load();
    } catch (error) {
      o.log.warn('settings.history_unreadable', { reason: messageOf(error) });
    }
    return history;
  }

  /** Newest first. */
  list(): VersionEntry[] {
    return this.#versions.map(({ document: _, ...entry }) => entry).reverse();
  }

  /** The whole document of a version, secrets masked. Throws `NOT_FOUND`. */
  document(version: number): JsonObject {
    const found = this.#versions.find((entry) => entry.version === version);
    if (found) return structuredClone(found.document);
    throw new GatewayError('NOT_FOUND', `there is no version ${version} of the settings any more`);
  }

  /**
   * Adds what the settings are now. Never rejects: they are in force and saved, and a full disk does not undo that.
   * @param before what they were; left out, the newest version tells, and one that is the same is not added again.
   */
  async add(after: JsonObject, { by, why }: { by: string; why: Why }, before?: JsonObject): Promise<void> {
    const document = maskDocument(after);
    const newest = this.#versions.at(-1)?.document;
    if (!before && isDeepStrictEqual(newest, document)) return;
    const changes = maskChanges(diffDocuments(before ?? newest ?? document, before ? after : document));
    const entry = { version: this.#next, atMs: this.#o.clock.wallTime(), by, why, changes, document };
    this.#next += 1;
    this.#versions.push(entry);
    const gone = this.#versions.splice(0, Math.max(0, this.#versions.length - KEPT));
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFileAtomic(this.#pathOf(entry.version), `${JSON.stringify(entry)}\n`);
      await Promise.all(gone.map(({ version }) => rm(this.#pathOf(version), { force: true })));
    } catch (error) {
      this.#o.log.warn('settings.history_failed', { version: entry.version, reason: messageOf(error) });
    }
  }

  async #load(): Promise<void> {
    const found = await openFolder(this.#dir);
    // What a crash in the middle of a write left behind.
    await removeLeftovers(
      this.#dir,
      found.filter((name) => name.includes('.tmp-')),
    );
    const names = found.filter((name) => /^\d+\.json$/.test(name)).sort();
    this.#next = Number.parseInt(names.at(-1) ?? '0', 10) + 1;
    for (const name of names) {
      const path = join(this.#dir, name);
      try {
        this.#versions.push(readEntry(await readFile(path, 'utf8')));
      } catch (error) {
        this.#o.log.warn('settings.history_unreadable', { file: path, reason: messageOf(error) });
      }
    }
    this.#versions = this.#versions.slice(-KEPT);
  }

  #pathOf(version: number): string {
    // Padded, so that the order of the names is the order of the versions.
    return join(this.#dir, `${String(version).padStart(8, '0')}.json`);
  }
}

function readEntry(text: string): StoredVersion {
  const entry = parseJson(text) as StoredVersion;
  if (
    typeof entry?.version !== 'number' ||
    typeof entry.document !== 'object' ||
    !Array.isArray(entry.changes)
  )
    throw new Error('this is not a version of the settings');
  return entry;
}

/** A document with every secret as `***`, or empty when there is none. */
function maskDocument(document: JsonObject): JsonObject {
  return mapStrings(document, SECRETS, (secret) => (secret ? MASK : ''));
}

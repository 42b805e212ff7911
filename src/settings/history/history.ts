import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import { type Actor, conditionActor, readActor } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { openFolder, removeLeftovers, writeFileAtomic } from '../../shared/files.js';
import { messageJson } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Signal } from '../../shared/signal.js';
import { isJsonObject, parseJson } from '../../shared/validation/json.js';
import { diffDocuments, maskChanges, type ValueChange } from '../document/diff.js';
import { type JsonObject, readDocument } from '../document/document.js';
import { FILE_NAME } from '../document/file.js';
import { MASK, mapStrings } from '../document/merge.js';
import { settingsMessage } from '../messages.js';
import { SECRETS } from '../schema/schema.js';

const FOLDER = 'settings-history';
const MAX_VERSIONS = 20;

/** Causes of changes that were not made by a person. The IDs are also their names in the API and in the files. */
export const HAND_EDIT = conditionActor('input', FILE_NAME);
export const PROGRAM = conditionActor('schedule', 'a program');
export const RESTART = conditionActor('schedule', 'restart');
export const NOT_CONFIRMED = conditionActor('schedule', 'confirmation timeout');
const CAUSES = [HAND_EDIT, PROGRAM, RESTART, NOT_CONFIRMED];

/** `start` means that the version was read from the file at startup. */
export type Why = 'start' | 'save' | 'import' | 'restore' | 'rollback' | 'hand-edit';

export interface VersionEntry {
  /** Version numbers start at 1 and are never reused. */
  version: number;
  /** Wall-clock time in ms. */
  atMs: number;
  by: Actor;
  why: Why;
  changes: readonly ValueChange[];
}

/** The document's secrets are masked. */
export type StoredVersion = VersionEntry & { document: JsonObject };

/** The last 20 versions of the settings, with secrets masked. Each version is a file with mode 0600. */
export class SettingsHistory {
  readonly #dir: string;
  readonly #o: { clock: Clock; log: Log };
  /** Oldest first. */
  #versions: StoredVersion[] = [];
  #next = 1;
  readonly #added = new Signal<[StoredVersion]>();

  private constructor(dir: string, o: { clock: Clock; log: Log }) {
    this.#dir = dir;
    this.#o = o;
  }

  static async open(o: { dir: string; clock: Clock; log: Log }): Promise<SettingsHistory> {
    const history = new SettingsHistory(join(o.dir, FOLDER), o);
    try {
      await history.#load();
    } catch (error) {
      o.log.warn('settings.history_unreadable', { reason: messageOf(error) });
    }
    return history;
  }

  /** Calls the listener for the stored versions after `last`, oldest first, and for each version that is added later. */
  follow(last: number, listener: (version: StoredVersion) => void): Cancel {
    for (const version of this.#versions) if (version.version > last) listener(version);
    return this.#added.on(listener);
  }

  /** Returns the stored versions, newest first. */
  list(): VersionEntry[] {
    return this.#versions.map(({ document: _, ...entry }) => entry).reverse();
  }

  /** True if no version was ever stored; false if there are only unreadable ones. */
  get isEmpty(): boolean {
    return this.#next === 1;
  }

  newest(): StoredVersion | undefined {
    return this.#versions.at(-1);
  }

  /** Returns true if a document, with or without secrets, is one of the versions. */
  includes(document: JsonObject): boolean {
    return this.#versions.some((version) => this.isSame(version, document));
  }

  /**
   * Compares the completed documents, without secrets, because a version may have been stored by an earlier
   * release.
   */
  isSame({ document: stored }: StoredVersion, document: JsonObject): boolean {
    const complete = (raw: JsonObject): JsonObject => readDocument(maskDocument(raw)).document;
    return isDeepStrictEqual(complete(stored), complete(document));
  }

  /** Returns a complete document with secrets masked. Throws `NOT_FOUND`. */
  document(version: number): JsonObject {
    const found = this.#versions.find((entry) => entry.version === version);
    if (found) return structuredClone(found.document);
    throw new GatewayError('NOT_FOUND', settingsMessage('version-gone', { version }));
  }

  /**
   * Never rejects, because the settings are already in use.
   * @param before the previous document; if it is omitted, a version that is identical to the latest one is not
   * added.
   */
  async add(after: JsonObject, { by, why }: { by: Actor; why: Why }, before?: JsonObject): Promise<void> {
    const document = maskDocument(after);
    const newest = this.#versions.at(-1)?.document;
    if (!before && isDeepStrictEqual(newest, document)) return;
    const changes = maskChanges(diffDocuments(before ?? newest ?? document, before ? after : document));
    const entry = { version: this.#next, atMs: this.#o.clock.wallTime(), by, why, changes, document };
    this.#next += 1;
    this.#versions.push(entry);
    this.#added.emit(entry);
    const dropped = this.#versions.splice(0, Math.max(0, this.#versions.length - MAX_VERSIONS));
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFileAtomic(
        this.#pathOf(entry.version),
        `${messageJson({ ...entry, checksum: checksumOf(entry) })}\n`,
      );
      await Promise.all(dropped.map(({ version }) => rm(this.#pathOf(version), { force: true })));
    } catch (error) {
      this.#o.log.warn('settings.history_failed', { version: entry.version, reason: messageOf(error) });
    }
  }

  async #load(): Promise<void> {
    const found = await openFolder(this.#dir);
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
    this.#versions = this.#versions.slice(-MAX_VERSIONS);
  }

  #pathOf(version: number): string {
    // With leading zeros, the file names sort in version order.
    return join(this.#dir, `${String(version).padStart(8, '0')}.json`);
  }
}

/** Files of version 0.1 contain no checksum; files of version 0.2 contain only the name of the person or the cause. */
function readEntry(text: string): StoredVersion {
  const { checksum, ...entry } = parseJson(text) as StoredVersion & { checksum?: number };
  if (checksum !== undefined && checksum !== checksumOf(entry)) {
    throw new Error('the file has changed since it was written');
  }
  if (typeof entry.version !== 'number' || !isJsonObject(entry.document) || !Array.isArray(entry.changes))
    throw new Error('the file does not contain a version of the settings');
  const by: unknown = entry.by;
  return { ...entry, by: CAUSES.find(({ id }) => id === by) ?? readActor(by) };
}

function checksumOf(entry: StoredVersion): number {
  return crc32(messageJson(entry));
}

function maskDocument(document: JsonObject): JsonObject {
  return mapStrings(document, SECRETS, (secret) => (secret ? MASK : ''));
}

import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readActor } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import { syncPath } from '../../shared/files.js';
import { messageJson, parseMessageJson } from '../../shared/messages/message.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { GROUPS } from '../contents.js';
import type { Replacement, RestoreJournal, RestoreStep, ReturnReason } from './machine.js';
import { restoreMessage } from './messages.js';

/** The operations that change the disk. Tests interrupt them. */
export interface DiskOperations {
  rename(from: string, to: string): void;
  /** Makes a file, or the entries of a folder, durable. */
  sync(path: string): void;
  write(path: string, text: string): void;
  makeFolder(path: string): void;
  /** Removes a file or folder if it exists. */
  remove(path: string): void;
}

export const diskOperations: DiskOperations = {
  rename: renameSync,
  sync: syncPath,
  write(path, text) {
    const handle = openSync(path, 'w', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  },
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  remove: (path) => rmSync(path, { recursive: true, force: true }),
};

/**
 * Number of databases from undone restores that are kept. The number is low, because each of them is as large as the
 * current database.
 */
const KEEP_UNDONE = 2;
/** The folder in the data directory that contains all files of a restore. */
const RESTORE_FOLDER = 'restore';

/**
 * Paths that are never replaced, because they protect this gateway while it runs, belong to its hardware rather than to
 * its data, or contain the backups.
 */
const PROTECTED: readonly string[] = [
  RESTORE_FOLDER,
  'gateway-backups',
  'gateway.lock',
  'estop.json',
  'site-plan.json',
  'firmware-update.json',
  'reserve',
];

/**
 * The files of a restore. All moves are renames within one file system, and each is durable before the next, so that
 * the existence of the paths shows which moves have been made.
 */
export class RestoreFiles {
  readonly dir: string;
  readonly folder: string;
  readonly staged: string;
  /** Files that the gateway derives from the backup and from its current state. */
  readonly prepared: string;
  readonly previous: string;
  /** Restored files that were removed when the previous files were put back. */
  readonly discarded: string;
  readonly journal: string;
  readonly #disk: DiskOperations;

  constructor(dir: string, disk: DiskOperations = diskOperations) {
    this.dir = dir;
    this.folder = join(dir, RESTORE_FOLDER);
    this.staged = join(this.folder, 'staged');
    this.prepared = join(this.folder, 'prepared');
    this.previous = join(this.folder, 'previous');
    this.discarded = join(this.folder, 'discarded');
    this.journal = join(this.folder, 'journal.json');
    this.#disk = disk;
  }

  /** The folders that are removed when the restore ends. */
  get folders(): string[] {
    return [this.staged, this.prepared, this.discarded, this.previous];
  }

  /** Throws `DATA_DIR_UNUSABLE` if the journal is unreadable, because the files may then be a mixture of two states. */
  read(): RestoreJournal | undefined {
    if (!existsSync(this.journal)) return undefined;
    try {
      return journalOf(parseMessageJson(readFileSync(this.journal, 'utf8')));
    } catch (cause) {
      const text = restoreMessage('journal-unreadable', { file: this.journal });
      throw new GatewayError('DATA_DIR_UNUSABLE', text, {
        cause,
        hint: restoreMessage('journal-unreadable-hint'),
      });
    }
  }

  /** Durable when it returns. Throws file errors. */
  write(journal: RestoreJournal): RestoreJournal {
    this.#disk.makeFolder(this.folder);
    const temp = `${this.journal}.tmp`;
    this.#disk.write(temp, `${messageJson(journal)}\n`);
    this.#disk.rename(temp, this.journal);
    this.#disk.sync(this.folder);
    this.#disk.sync(this.dir);
    return journal;
  }

  makePrepared(): string {
    this.#disk.remove(this.prepared);
    this.#disk.makeFolder(this.prepared);
    return this.prepared;
  }

  /** Adds a file that takes precedence over that of the backup. */
  prepare(path: string, text: string): void {
    this.#disk.write(join(this.prepared, path), text);
  }

  /**
   * Decides what happens to each path. Throws `BACKUP_DAMAGED` if the backup contains a path that a restore must not
   * replace.
   */
  plan(paths: readonly string[]): Replacement[] {
    const unique = [...new Set(paths)];
    const unknown = readdirSync(this.staged).find((name) => !unique.some((path) => topOf(path) === name));
    const forbidden = unknown ?? unique.find((path) => PROTECTED.includes(topOf(path)));
    if (forbidden !== undefined)
      throw new GatewayError('BACKUP_DAMAGED', restoreMessage('path-forbidden', { path: forbidden }));
    // Paths that exist on neither side are listed too: a return to the previous state removes the files that the
    // restored gateway has created there.
    return unique.map((path) => ({
      path,
      existed: exists(join(this.dir, path)),
      from: (['prepared', 'staged'] as const).find((folder) => exists(join(this[folder], path))) ?? '',
    }));
  }

  /** Puts the restored files in place. Skips the moves that an interrupted call has completed. Throws file errors. */
  switchOver(replacements: readonly Replacement[]): void {
    this.#disk.makeFolder(this.previous);
    this.#disk.sync(this.folder);
    for (const { path, existed, from } of replacements) {
      const [present, kept] = [join(this.dir, path), join(this.previous, path)];
      if (existed && !exists(kept)) this.#move(present, kept);
      const restored = from === '' ? '' : join(this[from], path);
      if (restored !== '' && exists(restored)) this.#move(restored, present);
    }
  }

  /**
   * Puts the previous files back. Also completes an interrupted call. Throws file errors.
   * @param added paths that the restored gateway has created.
   */
  switchBack(replacements: readonly Replacement[], added: readonly string[]): void {
    this.#disk.makeFolder(this.discarded);
    const known = new Set(replacements.map(({ path }) => path));
    const others = added.filter((path) => !known.has(path)).map((path) => ({ path, existed: false }));
    for (const { path, existed } of [...replacements, ...others]) {
      const [present, kept] = [join(this.dir, path), join(this.previous, path)];
      // If there is no kept copy, the path has not been replaced or has already been put back.
      if (existed && !exists(kept)) continue;
      if (exists(present)) {
        this.#disk.remove(join(this.discarded, path));
        this.#move(present, join(this.discarded, path));
      }
      if (existed) this.#move(kept, present);
    }
  }

  /**
   * After a return to the previous state, keeps the restored database in the data directory under a new name. Also
   * completes an interrupted call. Returns the new name, or an empty string if there is no such database. Throws file
   * errors.
   * @param at Unix time in ms of the request to restore, which is part of the name.
   */
  keepDiscarded(database: string, at: number): string {
    const discarded = join(this.discarded, database);
    if (!exists(discarded)) return '';
    const start = `${database}.undone-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`;
    let name = start;
    for (let n = 2; exists(join(this.dir, name)); n += 1) name = `${start}-${n}`;
    // The database is moved last, so that a repeated call uses the same name for the log and the database.
    for (const end of ['-wal', '']) {
      if (exists(`${discarded}${end}`)) this.#move(`${discarded}${end}`, join(this.dir, `${name}${end}`));
    }
    this.#removeOldUndone(database, name);
    return name;
  }

  /** @param newest the name of the latest discarded database, which is kept even if the clock was set back. */
  #removeOldUndone(database: string, newest: string): void {
    const start = `${database}.undone-`;
    const others = readdirSync(this.dir)
      .filter((name) => name.startsWith(start) && !name.endsWith('-wal') && name !== newest)
      .toSorted();
    for (const name of others.slice(0, Math.max(0, others.length - (KEEP_UNDONE - 1)))) {
      for (const end of ['-wal', '-shm', '']) this.#disk.remove(join(this.dir, `${name}${end}`));
    }
  }

  /** Removes the files that are no longer needed, but not the journal. */
  clean(): void {
    for (const folder of this.folders) this.#disk.remove(folder);
  }

  /** Ends the restore and removes all of its files. */
  end(): void {
    this.clean();
    this.#disk.remove(this.journal);
    this.#disk.remove(this.folder);
    this.#disk.sync(this.dir);
  }

  #move(from: string, to: string): void {
    this.#disk.makeFolder(dirname(to));
    this.#disk.rename(from, to);
    this.#disk.sync(dirname(to));
    this.#disk.sync(dirname(from));
  }
}

function topOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

const STEPS: readonly RestoreStep[] = [
  'staged',
  'switching',
  'trial',
  'waiting',
  'confirmed',
  'returning',
  'returned',
];

function journalOf(stored: unknown): RestoreJournal {
  if (!isJsonObject(stored)) throw new TypeError('not an object');
  const { step, name, by, at, groups, replacements, lastRevocation, starts, isRecorded } = stored;
  const { reason, detail, returnedBy } = stored as Partial<RestoreJournal>;
  const known = STEPS.find((one) => one === step);
  if (!known || !Array.isArray(groups) || !Array.isArray(replacements))
    throw new TypeError('a member is missing');
  return {
    step: known,
    name: String(name),
    by: readActor(by),
    at: Number(at),
    groups: GROUPS.filter((group) => groups.includes(group)),
    replacements: replacements as Replacement[],
    lastRevocation: Number(lastRevocation),
    starts: Number(starts),
    isRecorded: isRecorded === true,
    ...(reason === undefined ? {} : { reason: reason as ReturnReason }),
    ...(detail === undefined ? {} : { detail }),
    ...(returnedBy === undefined ? {} : { returnedBy: readActor(returnedBy) }),
  };
}

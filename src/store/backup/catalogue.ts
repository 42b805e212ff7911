import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { GatewayError } from '../../shared/errors.js';
import { writeFileAtomic } from '../../shared/files.js';
import type {
  BackupCheck,
  BackupShelf,
  Clock,
  KeptBackup,
  Log,
  RestoreChoice,
} from '../../shared/ports/ports.js';
import { SerialQueue } from '../../shared/serial-queue.js';
import { storePaths } from '../paths.js';
import { readChoice } from '../recovery/restore.js';
import { type BackupFile, listBackups } from './backups.js';
import { runCheck } from './check-run.js';

/** The backups in a data directory. They are files, so that they can be had while the database cannot. */
export function openBackupShelf(o: { dir: string; clock: Clock; log: Log }): BackupShelf {
  return new Catalogue(o);
}

class Catalogue implements BackupShelf {
  readonly #o: { dir: string; clock: Clock; log: Log };
  /** One at a time: a check reads a whole file, and an SD card has one head. */
  readonly #turns = new SerialQueue();

  constructor(o: { dir: string; clock: Clock; log: Log }) {
    this.#o = o;
  }

  list(): KeptBackup[] {
    return listBackups(storePaths(this.#o.dir)).map(keptOf);
  }

  pathOf(name: string): string {
    return this.#find(name).path;
  }

  check(name: string): Promise<BackupCheck> {
    const file = this.#find(name);
    const { database } = storePaths(this.#o.dir);
    return this.#turns.take(async () => ({
      ...keptOf(file),
      ...(await runCheck({ backup: file.path, database })),
    }));
  }

  async choose(name: string, by: string): Promise<RestoreChoice> {
    const { damage } = await this.check(name);
    if (damage) {
      throw new GatewayError('STORE_FAILED', `${name} is damaged and cannot be restored: ${damage}`, {
        hint: 'Choose another backup.',
      });
    }
    const choice = { name, by, at: Math.trunc(this.#o.clock.wallTime()) };
    await writeFileAtomic(storePaths(this.#o.dir).choice, `${JSON.stringify(choice)}\n`);
    this.#o.log.warn('store.restore_chosen', { ...choice });
    return choice;
  }

  async cancel(): Promise<void> {
    await rm(storePaths(this.#o.dir).choice, { force: true });
    this.#o.log.info('store.restore_cancelled');
  }

  chosen(): RestoreChoice | undefined {
    return readChoice(storePaths(this.#o.dir));
  }

  #find(name: string): BackupFile {
    const found = listBackups(storePaths(this.#o.dir)).find(({ path }) => basename(path) === name);
    if (found) return found;
    throw new GatewayError('NOT_FOUND', `there is no backup ${name}`, { field: 'name' });
  }
}

function keptOf({ path, bytes, at }: BackupFile): KeptBackup {
  return { name: basename(path), bytes, at };
}

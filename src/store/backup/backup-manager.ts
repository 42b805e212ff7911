import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Actor, actorName } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import { writeFileAtomic } from '../../shared/files.js';
import { messageJson } from '../../shared/messages/message.js';
import type {
  BackupCheck,
  BackupEntry,
  BackupManager,
  DatabaseSnapshot,
  RestoreChoice,
  UploadPart,
  UploadProgress,
} from '../../shared/ports/backups.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { SerialQueue } from '../../shared/queues.js';
import type { PartUploads } from '../../shared/uploads.js';
import { runWorker } from '../../shared/worker.js';
import { STORE_LIMITS, type StoreLimits } from '../limits.js';
import { storePaths } from '../paths.js';
import { type BackupFile, listBackups } from './backup-rotation.js';
import { runCopy } from './copy-thread.js';
import { readChoice } from './restore-choice.js';
import { findBackup, listUploads, openUploads } from './uploads.js';

export interface CheckStart {
  backup: string;
  database: string;
}

export type CheckReport = Pick<BackupCheck, 'damage' | 'tables'>;

export interface SnapshotStart {
  dir: string;
  path: string;
}

const runCheck = (start: CheckStart): Promise<CheckReport> =>
  runWorker<CheckReport>('store/backup/backup-check-worker.js', start, (cause) => {
    const text = cause ? 'the backup could not be read' : 'the backup check was interrupted';
    return new GatewayError('STORE_FAILED', text, { cause });
  }).done;

/** Uses only files, so it works even if the database is unavailable. */
export function openBackupManager(o: BackupManagerOptions): BackupManager {
  return new FileBackupManager(o);
}

interface BackupManagerOptions {
  dir: string;
  clock: Clock;
  log: Log;
  limits?: Partial<StoreLimits>;
}

class FileBackupManager implements BackupManager {
  readonly #o: BackupManagerOptions;
  readonly #uploads: PartUploads<string>;
  /** Only one check runs at a time, because each check reads a whole file from the SD card. */
  readonly #queue = new SerialQueue();

  constructor(o: BackupManagerOptions) {
    this.#o = o;
    const paths = storePaths(o.dir);
    this.#uploads = openUploads({ paths, clock: o.clock, limits: { ...STORE_LIMITS, ...o.limits } });
  }

  list(): BackupEntry[] {
    return listBackups(storePaths(this.#o.dir)).map(entryOf);
  }

  uploads(): BackupEntry[] {
    return listUploads(storePaths(this.#o.dir)).map(entryOf);
  }

  async upload(part: UploadPart, chunks: AsyncIterable<Uint8Array>): Promise<UploadProgress | BackupCheck> {
    const received = await this.#uploads.receive(part, chunks);
    if (!('stored' in received)) return received;
    const { stored } = received;
    this.#o.log.warn('store.backup_uploaded', { name: basename(stored), bytes: part.total });
    return await this.check(basename(stored));
  }

  pathOf(name: string): string {
    return this.#find(name).path;
  }

  check(name: string): Promise<BackupCheck> {
    const file = this.#find(name);
    const { database } = storePaths(this.#o.dir);
    return this.#queue.take(async () => ({
      ...entryOf(file),
      ...(await runCheck({ backup: file.path, database })),
    }));
  }

  async choose(name: string, by: Actor): Promise<RestoreChoice> {
    const { damage } = await this.check(name);
    if (damage) {
      throw new GatewayError('STORE_FAILED', `${name} is damaged and cannot be restored: ${damage}`, {
        hint: 'Choose a different backup.',
      });
    }
    const choice = { name, by, at: Math.trunc(this.#o.clock.wallTime()) };
    await writeFileAtomic(storePaths(this.#o.dir).choice, `${messageJson(choice)}\n`);
    this.#o.log.warn('store.restore_chosen', { ...choice, by: actorName(by) });
    return choice;
  }

  async cancel(): Promise<void> {
    await rm(storePaths(this.#o.dir).choice, { force: true });
    this.#o.log.info('store.restore_cancelled');
  }

  chosen(): RestoreChoice | undefined {
    return readChoice(storePaths(this.#o.dir));
  }

  snapshot(path: string, signal?: AbortSignal): Promise<DatabaseSnapshot> {
    const start: SnapshotStart = { dir: this.#o.dir, path };
    const { clock } = this.#o;
    return this.#queue.take(
      () => runCopy<DatabaseSnapshot>('store/backup/snapshot-worker.js', start, { clock, signal }).done,
    );
  }

  close(): Promise<void> {
    return this.#uploads.close();
  }

  #find(name: string): BackupFile {
    const found = findBackup(storePaths(this.#o.dir), name);
    if (found) return found;
    throw new GatewayError('NOT_FOUND', `there is no backup named ${name}`, { field: 'name' });
  }
}

function entryOf({ path, bytes, at }: BackupFile): BackupEntry {
  return { name: basename(path), bytes, at };
}

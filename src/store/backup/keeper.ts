import { Worker } from 'node:worker_threads';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { moduleUrl } from '../../shared/package-root.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BackupReport } from '../../shared/ports/store.js';
import { SerialQueue } from '../../shared/queues.js';
import type { StoreLimits } from '../limits.js';
import { storePaths } from '../paths.js';
import { fromWire, type WireError } from '../writer/protocol.js';
import { type BackupFile, listBackups } from './backups.js';

const HOUR_MS = 3_600_000;
const NIGHT_HOURS = [2, 3, 4];

/**
 * Whether it is time for the daily backup: at night, or at any hour when the machine is off at night. `ranMs` is the
 * time since the last try of this process on the monotonic clock; it decides when the wall clock is behind the newest
 * backup, as it is on a Pi that has not heard from a time server yet.
 */
export function isBackupDue(wallMs: number, newestAt: number | undefined, ranMs: number): boolean {
  if (newestAt === undefined) return true;
  const ageMs = wallMs - newestAt;
  if (ageMs < 0) return ranMs >= 24 * HOUR_MS;
  const isNight = NIGHT_HOURS.includes(new Date(wallMs).getHours());
  return ageMs >= (isNight ? 20 : 26) * HOUR_MS;
}

export interface BackupStart {
  dir: string;
  limits: StoreLimits;
  wallMs: number;
}

export type BackupAnswer = { report: BackupReport } | { error: WireError };

/** Makes one backup on its own thread. `cancel` leaves an unfinished file, which the next backup deletes. */
function runBackup(start: BackupStart): { done: Promise<BackupReport>; cancel: () => Promise<void> } {
  const worker = new Worker(moduleUrl('store/backup/thread.js'), { workerData: start });
  const done = new Promise<BackupReport>((resolve, reject) => {
    let cause: Error | undefined;
    worker.on('message', (answer: BackupAnswer) =>
      'error' in answer ? reject(fromWire(answer.error)) : resolve(answer.report),
    );
    worker.on('error', (error) => {
      cause = error;
    });
    // Has no effect after an answer.
    worker.on('exit', () =>
      reject(new GatewayError('STORE_FAILED', 'no backup was made: its thread ended', { cause })),
    );
  });
  return { done, cancel: async () => void (await worker.terminate()) };
}

/** A cart may be switched off again within the hour, every day. */
const FIRST_LOOK_MS = 300_000;
const LOOK_EVERY_MS = 3_600_000;

/** Makes backups: one a day by itself, and on demand; one at a time. */
export class BackupKeeper {
  readonly #dir: string;
  readonly #limits: StoreLimits;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #turns = new SerialQueue();
  readonly #looks: Cancel[];
  #newest: BackupFile | undefined;
  #triedAtMs: number;
  #failure = '';
  #cancel: () => Promise<void> = async () => {};
  #isClosed = false;

  constructor(o: { dir: string; limits: StoreLimits; clock: Clock; log: Log }) {
    this.#dir = o.dir;
    this.#limits = o.limits;
    this.#clock = o.clock;
    this.#log = o.log;
    this.#newest = listBackups(storePaths(o.dir))[0];
    this.#triedAtMs = o.clock.now();
    const look = (): void => this.#look();
    this.#looks = [o.clock.after(FIRST_LOOK_MS, look), o.clock.every(LOOK_EVERY_MS, look)];
  }

  get newest(): BackupFile | undefined {
    return this.#newest;
  }

  /** Why there is no newer backup; empty when the newest try went well. */
  get failure(): string {
    return this.#failure;
  }

  /** Makes a backup now, after one that is being made. Rejects with `STORE_FULL`, `STORE_FAILED` or `STOPPING`. */
  make(): Promise<BackupReport> {
    return this.#turns.take(async () => {
      if (this.#isClosed) throw new GatewayError('STOPPING', sharedMessage('stopping'));
      const wallMs = this.#clock.wallTime();
      this.#triedAtMs = this.#clock.now();
      const { done, cancel } = runBackup({ dir: this.#dir, limits: this.#limits, wallMs });
      this.#cancel = cancel;
      const report = await done;
      [this.#newest] = listBackups(storePaths(this.#dir));
      this.#failure = '';
      this.#log.info('store.backup_made', { ...report });
      return report;
    });
  }

  /** Makes no more backups and cuts off the one that is being made. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#looks) cancel();
    await this.#cancel();
    await this.#turns.ended();
  }

  #look(): void {
    const ranMs = this.#clock.now() - this.#triedAtMs;
    if (!isBackupDue(this.#clock.wallTime(), this.#newest?.at, ranMs)) return;
    this.make().catch((error: unknown) => {
      if (this.#isClosed) return;
      this.#failure = `The daily backup failed: ${messageOf(error)}.`;
      this.#log.error('store.backup_failed', { reason: messageOf(error) });
    });
  }
}

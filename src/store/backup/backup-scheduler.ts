import { isBackupDue } from '../../shared/backup-due.js';
import { errorText, GatewayError, messageOf } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BackupReport } from '../../shared/ports/store.js';
import { SerialQueue } from '../../shared/queues.js';
import type { StoreLimits } from '../limits.js';
import { storePaths } from '../paths.js';
import { type BackupFile, listBackups } from './backup-rotation.js';
import { runCopy } from './copy-thread.js';

export interface BackupStart {
  dir: string;
  limits: StoreLimits;
  wallMs: number;
}

/** Time from startup to the first check; short, because a cart may run for less than an hour a day. */
const FIRST_CHECK_MS = 300_000;
const CHECK_INTERVAL_MS = 3_600_000;

interface SchedulerOptions {
  dir: string;
  limits: StoreLimits;
  clock: Clock;
  log: Log;
  onFailed: (reason: Text) => void;
}

export class BackupScheduler {
  readonly #dir: string;
  readonly #limits: StoreLimits;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onFailed: (reason: Text) => void;
  readonly #queue = new SerialQueue();
  readonly #timers: Cancel[];
  #newest: BackupFile | undefined;
  #attemptedAtMs: number;
  #failure = '';
  #cancel: () => Promise<void> = async () => {};
  #isClosed = false;

  constructor(o: SchedulerOptions) {
    this.#dir = o.dir;
    this.#limits = o.limits;
    this.#clock = o.clock;
    this.#log = o.log;
    this.#onFailed = o.onFailed;
    this.#newest = listBackups(storePaths(o.dir))[0];
    this.#attemptedAtMs = o.clock.now();
    const check = (): void => this.#check();
    this.#timers = [o.clock.after(FIRST_CHECK_MS, check), o.clock.every(CHECK_INTERVAL_MS, check)];
  }

  get newest(): BackupFile | undefined {
    return this.#newest;
  }

  /** A sentence that states why the last daily backup failed; empty if it succeeded. */
  get failure(): string {
    return this.#failure;
  }

  /** Waits for a backup that is in progress. Rejects with `STORE_FULL`, `STORE_FAILED` or `STOPPING`. */
  make(): Promise<BackupReport> {
    return this.#queue.take(async () => {
      if (this.#isClosed) throw new GatewayError('STOPPING', sharedMessage('stopping'));
      this.#attemptedAtMs = this.#clock.now();
      const start: BackupStart = { dir: this.#dir, limits: this.#limits, wallMs: this.#clock.wallTime() };
      const { done, cancel } = runCopy<BackupReport>('store/backup/backup-worker.js', start, {
        clock: this.#clock,
      });
      // After a cancellation, the next backup deletes the unfinished file.
      this.#cancel = cancel;
      const report = await done;
      [this.#newest] = listBackups(storePaths(this.#dir));
      this.#failure = '';
      this.#log.info('store.backup_made', { ...report });
      return report;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers) cancel();
    await this.#cancel();
    await this.#queue.ended();
  }

  #check(): void {
    const sinceAttemptMs = this.#clock.now() - this.#attemptedAtMs;
    if (!isBackupDue(this.#clock.wallTime(), this.#newest?.at, sinceAttemptMs)) return;
    this.make().catch((error: unknown) => {
      if (this.#isClosed) return;
      this.#failure = `The daily backup failed: ${messageOf(error)}.`;
      this.#log.error('store.backup_failed', { reason: messageOf(error) });
      this.#onFailed(errorText(error));
    });
  }
}

import { GatewayError, messageOf } from '../../shared/errors.js';
import type { BackupReport, Cancel, Clock, Log } from '../../shared/ports/ports.js';
import { SerialQueue } from '../../shared/serial-queue.js';
import type { StoreLimits } from '../limits.js';
import { storePaths } from '../paths.js';
import { type BackupFile, listBackups } from './backups.js';
import { isBackupDue } from './due.js';
import { runBackup } from './run.js';

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
      if (this.#isClosed) throw new GatewayError('STOPPING', 'the gateway is stopping');
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

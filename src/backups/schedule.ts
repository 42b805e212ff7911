import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Actor, actorName, conditionActor, readActor } from '../shared/actor.js';
import { DAY_MS, isBackupDue, isFarInFuture } from '../shared/backup-due.js';
import { errorText, GatewayError, messageOf } from '../shared/errors.js';
import { diskError, fileErrorCode, fileErrorReason, removeFile, writeFileAtomic } from '../shared/files.js';
import { messageJson, parseMessageJson, type Text, textOf } from '../shared/messages/message.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import { SerialQueue } from '../shared/queues.js';
import { Signal } from '../shared/signal.js';
import { isJsonObject } from '../shared/validation/json.js';
import { GROUPS, type Group } from './contents.js';
import type { GatewayBackups, MadeBackup } from './gateway-backups.js';
import { backupMessage } from './messages.js';
import { deriveSecret, type Secret } from './sealed-file.js';

export const INTERVALS = ['day', 'week'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The schedule as the API and the pages show it. Contains no secrets. */
export interface ScheduleView {
  every: Interval;
  /** The optional groups in the backups. */
  include: readonly Group[];
  /** The person who turned the schedule on. */
  by: Text;
  /** Unix time in ms when the schedule was turned on. */
  at: number;
  /** The latest backup that was made with the stored key; null if there is none. */
  last: { name: string; at: number } | null;
  /** Why the latest attempt failed; empty if it succeeded. */
  failure: Text;
  /** True if the latest backup is older than two intervals, or more than a day in the future. */
  isOverdue: boolean;
}

type ScheduleEvent = 'backup.made' | 'backup.scheduled' | 'backup.unscheduled';

interface Stored {
  every: Interval;
  include: readonly Group[];
  by: Actor;
  at: number;
  last?: { name: string; at: number };
  secret: Secret;
}

const PERIOD_MS: Readonly<Record<Interval, number>> = { day: DAY_MS, week: 7 * DAY_MS };
/** Time from startup to the first check; short, because a cart may run for less than an hour a day. */
const FIRST_CHECK_MS = 300_000;
/**
 * Time from setting a schedule to its first check; short, so that the person who set it sees whether it
 * works.
 */
const NEW_CHECK_MS = 5000;
const CHECK_INTERVAL_MS = 900_000;

interface BackupScheduleDeps {
  /** The data directory. */
  dir: string;
  clock: Clock;
  log: Log;
  backups: Pick<GatewayBackups, 'makeWith'>;
  /** Adds an entry to the history. */
  record(event: ScheduleEvent, by: Actor, backup?: string): void;
}

/**
 * Makes backups of the gateway without requiring a person to enter the passphrase. The file `backup-schedule.json`
 * (mode 0600) contains the salt and the key that is derived from the passphrase, but not the passphrase. The key can
 * decrypt only the backups that were made with it.
 */
export class BackupSchedule {
  readonly #o: BackupScheduleDeps;
  readonly #file: string;
  readonly #failed = new Signal<[Text]>();
  readonly #queue = new SerialQueue();
  readonly #timers: Cancel[];
  #cancelNew: Cancel = () => undefined;
  #stored: Stored | undefined;
  #failure: Text = '';
  #attemptedAtMs: number;
  /** A backup can take longer than the interval between two checks. */
  #isChecking = false;
  #isClosed = false;

  /** Calls the listener with the reason if a scheduled backup fails, but only once while the reason stays the same. */
  readonly onFailed = this.#failed.on.bind(this.#failed);

  private constructor(o: BackupScheduleDeps) {
    this.#o = o;
    this.#file = join(o.dir, 'backup-schedule.json');
    this.#attemptedAtMs = o.clock.now();
    const check = (): void => void this.#check();
    this.#timers = [o.clock.after(FIRST_CHECK_MS, check), o.clock.every(CHECK_INTERVAL_MS, check)];
  }

  /** If the file is unreadable, the schedule is off and `fault` names the reason. */
  static async open(o: BackupScheduleDeps): Promise<BackupSchedule> {
    const schedule = new BackupSchedule(o);
    await schedule.#load();
    return schedule;
  }

  /** Undefined if the schedule is off. */
  view(): ScheduleView | undefined {
    if (!this.#stored) return undefined;
    const { every, include, by, at, last } = this.#stored;
    const wallMs = this.#o.clock.wallTime();
    const latestAt = last?.at ?? at;
    const isOverdue = wallMs - latestAt > 2 * PERIOD_MS[every] || isFarInFuture(wallMs, latestAt);
    return { every, include, by: actorName(by), at, last: last ?? null, failure: this.#failure, isOverdue };
  }

  /** What needs attention; empty if the schedule is off or works. */
  get fault(): Text {
    if (this.#failure !== '') return backupMessage('schedule-failed', { reason: this.#failure });
    return this.view()?.isOverdue === true ? backupMessage('schedule-overdue') : '';
  }

  /**
   * Stores a new key and the interval. The first backup follows within a minute. Rejects with `BACKUP_PASSPHRASE` if the
   * passphrase is empty, and with `STORE_FULL` or `STORE_FAILED`.
   */
  async set(
    { every, passphrase, include }: { every: Interval; passphrase: string; include: readonly Group[] },
    by: Actor,
  ): Promise<ScheduleView> {
    const secret = await deriveSecret(passphrase);
    return this.#queue.take(async () => {
      const at = Math.trunc(this.#o.clock.wallTime());
      const stored = { every, include, by, at, secret };
      await this.#save(stored);
      this.#failure = '';
      this.#o.log.warn('backup_schedule.set', { every, include, by: actorName(by) });
      this.#o.record('backup.scheduled', by);
      this.#cancelNew();
      this.#cancelNew = this.#o.clock.after(NEW_CHECK_MS, () => void this.#check());
      return this.view() as ScheduleView;
    });
  }

  /** Deletes the key. Rejects with `NOT_FOUND` if the schedule is off, and with `STORE_FAILED`. */
  async turnOff(by: Actor): Promise<void> {
    await this.#queue.take(async () => {
      if (!this.#stored && this.#failure === '') {
        throw new GatewayError('NOT_FOUND', backupMessage('schedule-off'));
      }
      await removeFile(this.#file).catch((error: unknown) => {
        throw diskError(backupMessage('schedule-not-saved', { reason: fileErrorReason(error) }), error);
      });
      this.#stored = undefined;
      this.#failure = '';
      this.#o.log.warn('backup_schedule.removed', { by: actorName(by) });
      this.#o.record('backup.unscheduled', by);
    });
  }

  /**
   * Makes a backup with the stored key, for example before an update. Resolves with undefined if the schedule is off,
   * because there is then no key. Rejects with `BUSY`, `STORE_FULL`, `STORE_FAILED` or `STOPPING`.
   * @param reason is logged.
   */
  makeScheduled(reason: 'schedule' | 'update', by: Actor): Promise<MadeBackup | undefined> {
    return this.#queue.take(async () => {
      const stored = this.#stored;
      if (!stored) return undefined;
      this.#attemptedAtMs = this.#o.clock.now();
      const made = await this.#o.backups.makeWith(stored.secret, stored.include, by);
      this.#o.log.info('backup_schedule.backup_made', { name: made.name, reason });
      this.#o.record('backup.made', by, made.name);
      await this.#save({ ...stored, last: { name: made.name, at: Math.trunc(this.#o.clock.wallTime()) } });
      this.#report(made.usbFailure);
      return made;
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of [...this.#timers, this.#cancelNew]) cancel();
  }

  async #check(): Promise<void> {
    const { clock, log } = this.#o;
    if (!this.#stored || this.#isChecking || this.#isClosed) return;
    const { every, last } = this.#stored;
    const sinceAttemptMs = clock.now() - this.#attemptedAtMs;
    if (!isBackupDue(clock.wallTime(), last?.at, sinceAttemptMs, PERIOD_MS[every])) return;
    this.#isChecking = true;
    try {
      await this.makeScheduled('schedule', conditionActor('schedule', backupMessage('by-schedule')));
    } catch (error) {
      // Another backup or a restore is in progress, so the next check tries again.
      if (this.#isClosed || (error instanceof GatewayError && error.code === 'BUSY')) return;
      const failure = errorText(error);
      if (textOf(failure) !== textOf(this.#failure))
        log.error('backup_schedule.backup_failed', { reason: messageOf(error) });
      this.#report(failure);
    } finally {
      this.#isChecking = false;
    }
  }

  /** @param failure is empty if the latest attempt succeeded. */
  #report(failure: Text): void {
    const isNew = failure !== '' && textOf(failure) !== textOf(this.#failure);
    this.#failure = failure;
    if (isNew) this.#failed.emit(failure);
  }

  async #load(): Promise<void> {
    try {
      this.#stored = storedOf(parseMessageJson(await readFile(this.#file, 'utf8')));
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return;
      this.#failure = backupMessage('schedule-unreadable');
      this.#o.log.error('backup_schedule.unreadable', { reason: messageOf(error) });
    }
  }

  async #save(stored: Stored): Promise<void> {
    const { secret, ...rest } = stored;
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
    const { salt, key, check } = secret;
    const json = messageJson({ ...rest, salt: hex(salt), key: hex(key), check: hex(check) });
    try {
      await writeFileAtomic(this.#file, `${json}\n`);
    } catch (error) {
      throw diskError(backupMessage('schedule-not-saved', { reason: fileErrorReason(error) }), error);
    }
    this.#stored = stored;
  }
}

function storedOf(json: unknown): Stored {
  if (!isJsonObject(json)) throw new TypeError('not an object');
  const { every, include, by, at, last, salt, key, check } = json;
  const interval = INTERVALS.find((one) => one === every);
  const bytes = (hex: unknown, length: number): Buffer => {
    const found = Buffer.from(typeof hex === 'string' ? hex : '', 'hex');
    if (found.length !== length) throw new TypeError('the key is incomplete');
    return found;
  };
  if (!interval || !Array.isArray(include) || !Number.isSafeInteger(at)) {
    throw new TypeError('a member is missing');
  }
  const isMade = isJsonObject(last) && typeof last.name === 'string' && Number.isSafeInteger(last.at);
  return {
    every: interval,
    include: GROUPS.filter((group) => include.includes(group)),
    by: readActor(by),
    at: Number(at),
    ...(isMade ? { last: { name: String(last.name), at: Number(last.at) } } : {}),
    secret: { salt: bytes(salt, 16), key: bytes(key, 32), check: bytes(check, 32) },
  };
}

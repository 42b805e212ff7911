import { mkdir, rm } from 'node:fs/promises';
import { type Actor, actorName } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import {
  diskError,
  fileErrorReason,
  removeFile,
  syncDirectory,
  writeFileAtomic,
} from '../../shared/files.js';
import { messageJson, type Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { extractBackup, inspectBackup } from '../archive.js';
import { RestoreFiles } from './files.js';
import {
  confirmed,
  isOpen,
  type RestoreJournal,
  type RestoreStep,
  type ReturnReason,
  returning,
  stagedJournal,
  TRIAL_MS,
  waiting,
} from './machine.js';
import { restoreMessage } from './messages.js';

const TICK_MS = 1000;
/** Time within which the gateway must restart to continue a restore. */
const STAGED_MS = 3_600_000;

/** What the history records about a restore. */
export type RestoreEvent = 'restore.started' | 'restore.confirmed' | 'restore.undone';

/** A restore that has been requested and is neither confirmed nor undone. */
export interface RestoreView {
  name: string;
  by: Text;
  /** Unix time in ms of the request. */
  at: number;
  step: Extract<RestoreStep, 'staged' | 'trial' | 'waiting' | 'returning'>;
  /** Seconds until the restore can be confirmed; 0 if it can be confirmed now. */
  confirmableInS: number;
}

/** A restore that was undone before this start. */
export interface UndoneRestore {
  name: string;
  reason: Text;
}

export interface GatewayRestoreDeps {
  dir: string;
  clock: Clock;
  log: Log;
  /** Resolves with the path of a backup. Rejects with `NOT_FOUND`. */
  pathOf(name: string): Promise<string>;
  /** Schema version of the current database; a backup's database must not have a higher version. */
  schemaVersion: number;
  minFreeBytes: number;
  /** False while the cart moves or its firmware is being updated. */
  isIdle(): boolean;
  /** True if the store is healthy. */
  isReady(): boolean;
  /** True if a restore of the database alone is scheduled. */
  isDatabaseChosen(): boolean;
  /**
   * Makes a backup of the database alone. Needed after a restore: the latest such backup belongs to the replaced
   * data, so a damaged database must not be recovered from that backup.
   */
  backUpDatabase(): Promise<unknown>;
  /** Rejects with the store's error. */
  record(event: RestoreEvent, backup: string, by: Actor): Promise<void>;
}

/**
 * Restores the backup of a whole gateway. The files are replaced when the gateway restarts; see `resumeRestore`. The
 * previous files are kept until the restored gateway has been ready for `TRIAL_MS` and an administrator has confirmed
 * the restore.
 */
export class GatewayRestore {
  readonly #o: GatewayRestoreDeps;
  readonly #files: RestoreFiles;
  #journal: RestoreJournal | undefined;
  #undone: UndoneRestore | undefined;
  #readyMs = 0;
  #isBusy = false;
  #isConfirmationRecorded = false;
  /** The last failure of the tick, which is logged once. */
  #tickFailure = '';
  #tick: Cancel = () => undefined;
  #expiry: Cancel = () => undefined;

  private constructor(o: GatewayRestoreDeps) {
    this.#o = o;
    this.#files = new RestoreFiles(o.dir);
  }

  /** Call this when the gateway is ready to accept requests. Failures to write are logged. */
  static async open(o: GatewayRestoreDeps): Promise<GatewayRestore> {
    const restore = new GatewayRestore(o);
    await restore.#start().catch((error: unknown) => restore.#logFailure(error));
    return restore;
  }

  close(): void {
    this.#expiry();
    this.#tick();
  }

  /** The restore that is under way; undefined if there is none. */
  view(): RestoreView | undefined {
    if (!this.#journal) return undefined;
    const { name, by, at, step } = this.#journal;
    if (step !== 'staged' && step !== 'trial' && step !== 'waiting' && step !== 'returning') return undefined;
    return { name, by: actorName(by), at, step, confirmableInS: step === 'waiting' ? 0 : this.#remainingS() };
  }

  /** A restore that was undone before this start or has expired, for as long as the process runs. */
  get undone(): UndoneRestore | undefined {
    return this.#undone;
  }

  /**
   * Checks the whole backup, and unpacks it beside the current files. Nothing is replaced until the gateway restarts.
   * Rejects with `NOT_FOUND`, `NOT_IDLE`, `CONFLICT`, `BUSY`, `BACKUP_PASSPHRASE`, `BACKUP_DAMAGED`, `BACKUP_NEWER`,
   * `STORE_FULL` or `STORE_FAILED`; in that case, nothing has been changed.
   */
  async restore({ name, passphrase, by }: { name: string; passphrase: string; by: Actor }): Promise<void> {
    const path = await this.#o.pathOf(name);
    this.#requireIdle();
    this.#requireNoDatabase();
    this.requireNone();
    await this.#exclusively(async () => {
      const { schemaVersion, minFreeBytes, log, clock } = this.#o;
      await inspectBackup({ path, passphrase, schemaVersion });
      try {
        await rm(this.#files.folder, { recursive: true, force: true });
        await mkdir(this.#files.folder, { mode: 0o700 });
        const into = this.#files.staged;
        const { include } = await extractBackup({ path, passphrase, schemaVersion, into, minFreeBytes });
        this.#requireIdle();
        this.#requireNoDatabase();
        const at = Math.trunc(clock.wallTime());
        await this.#save(stagedJournal({ name, by, at, groups: include }));
      } catch (error) {
        this.#journal = undefined;
        await rm(this.#files.folder, { recursive: true, force: true }).catch(() => undefined);
        throw error;
      }
      log.warn('restore.requested', { name, by: actorName(by) });
      this.#expiry();
      this.#expiry = clock.after(STAGED_MS, () => this.#expire());
    });
  }

  /** Throws `BUSY` while a restore is being prepared, and `CONFLICT` until it is confirmed or undone. */
  requireNone(): void {
    if (this.#isBusy) throw new GatewayError('BUSY', restoreMessage('busy'));
    if (!this.#journal || !isOpen(this.#journal)) return;
    throw new GatewayError('CONFLICT', restoreMessage('open'), { hint: restoreMessage('open-hint') });
  }

  /**
   * Deletes the previous files and ends the restore. Rejects with `NOT_FOUND`, or with `CONFLICT` if the
   * restored gateway has not been ready for `TRIAL_MS`, or with `BUSY`, `STORE_FULL` or `STORE_FAILED`.
   */
  async confirm(by: Actor): Promise<RestoreView> {
    const view = this.#requireOpen();
    if (view.step === 'staged') throw new GatewayError('CONFLICT', restoreMessage('not-switched'));
    if (view.step !== 'waiting') {
      const retryAfterS = view.confirmableInS;
      const hint = restoreMessage('too-early-hint', { seconds: retryAfterS });
      throw new GatewayError('CONFLICT', restoreMessage('too-early'), { hint, retryAfterS });
    }
    return this.#exclusively(async () => {
      if (!this.#isConfirmationRecorded) await this.#o.record('restore.confirmed', view.name, by);
      this.#isConfirmationRecorded = true;
      if (this.#journal) await this.#save(confirmed(this.#journal));
      this.#o.log.warn('restore.confirmed', { name: view.name, by: actorName(by) });
      await this.#end();
      return view;
    });
  }

  /**
   * Makes the next start return to the previous state, or cancels a restore that has replaced nothing yet. Returns true
   * if the gateway must restart. Rejects with `NOT_FOUND`, `NOT_IDLE`, `BUSY`, `STORE_FULL` or `STORE_FAILED`.
   */
  async cancel(by: Actor): Promise<boolean> {
    const { step, name } = this.#requireOpen();
    if (step !== 'staged') this.#requireIdle();
    return this.#exclusively(async () => {
      this.#o.log.warn('restore.cancelled', { name, by: actorName(by) });
      if (step === 'staged') {
        await this.#end();
        return false;
      }
      if (this.#journal) await this.#save({ ...returning(this.#journal, 'requested'), returnedBy: by });
      this.#tick();
      return true;
    });
  }

  /**
   * Returns true if a restart now would continue a restore or a return. If the cart is not idle, logs that no restart
   * is possible.
   */
  canRestart(): boolean {
    const step = this.#journal?.step;
    if (this.#isBusy || (step !== 'staged' && step !== 'returning')) return false;
    if (this.#o.isIdle()) return true;
    this.#o.log.warn('restore.restart_skipped', {
      name: this.#journal?.name,
      reason: restoreMessage('moving'),
    });
    return false;
  }

  async #start(): Promise<void> {
    this.#journal = this.#files.read();
    if (!this.#journal) return;
    const { step, name, by, reason = 'failed', detail = '', returnedBy, isRecorded } = this.#journal;
    if (step === 'returned') {
      this.#undone = { name, reason: reasonText(reason, detail) };
      await this.#o.record('restore.undone', name, returnedBy ?? by);
      await this.#end();
      this.#backUpDatabase();
    }
    if (step === 'trial') this.#tick = this.#o.clock.every(TICK_MS, () => this.#count());
    if ((step === 'trial' || step === 'waiting') && !isRecorded) {
      await this.#o.record('restore.started', name, by);
      await this.#save({ ...this.#journal, isRecorded: true });
      this.#backUpDatabase();
    }
  }

  /** Cancels a staged restore, so that a restart much later does not replace the data unexpectedly. */
  #expire(): void {
    const { clock, log } = this.#o;
    const { name = '', step } = this.#journal ?? {};
    if (step !== 'staged') return;
    this.#exclusively(() => this.#end()).then(
      () => {
        this.#undone = { name, reason: restoreMessage('expired') };
        log.warn('restore.expired', { name });
      },
      (error: unknown) => {
        this.#logFailure(error);
        this.#expiry = clock.after(STAGED_MS, () => this.#expire());
      },
    );
  }

  /** Does not wait for the backup, because the backup must not delay the start of the gateway. */
  #backUpDatabase(): void {
    this.#o.backUpDatabase().catch((error: unknown) => {
      this.#o.log.error('restore.database_backup_failed', { reason: messageOf(error) });
    });
  }

  /** Counts the time for which the gateway has been ready without interruption. */
  #count(): void {
    this.#readyMs = this.#o.isReady() ? this.#readyMs + TICK_MS : 0;
    if (this.#readyMs < TRIAL_MS || this.#isBusy || this.#journal?.step !== 'trial') return;
    const next = waiting(this.#journal);
    this.#exclusively(() => this.#save(next)).then(
      () => {
        this.#tick();
        this.#o.log.warn('restore.confirmable', { name: next.name });
      },
      (error: unknown) => {
        const failure = messageOf(error);
        if (failure !== this.#tickFailure) this.#logFailure(error);
        this.#tickFailure = failure;
      },
    );
  }

  #remainingS(): number {
    return Math.max(1, Math.ceil((TRIAL_MS - this.#readyMs) / 1000));
  }

  #requireOpen(): RestoreView {
    const view = this.view();
    if (view) return view;
    throw new GatewayError('NOT_FOUND', restoreMessage('none'));
  }

  #requireIdle(): void {
    if (this.#o.isIdle()) return;
    throw new GatewayError('NOT_IDLE', restoreMessage('moving'), { hint: restoreMessage('moving-hint') });
  }

  #requireNoDatabase(): void {
    if (!this.#o.isDatabaseChosen()) return;
    const hint = restoreMessage('database-chosen-hint');
    throw new GatewayError('CONFLICT', restoreMessage('database-chosen'), { hint });
  }

  /**
   * Makes one change at a time. Rejects with `BUSY`, and with `STORE_FULL` or `STORE_FAILED` instead of file errors.
   */
  async #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) throw new GatewayError('BUSY', restoreMessage('busy'));
    this.#isBusy = true;
    try {
      return await work();
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      throw diskError(restoreMessage('not-saved', { reason: fileErrorReason(error) }), error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Does not block the main thread, unlike `RestoreFiles.write`, because the cart may be moving. */
  async #save(journal: RestoreJournal): Promise<void> {
    await writeFileAtomic(this.#files.journal, `${messageJson(journal)}\n`);
    await syncDirectory(this.#o.dir);
    this.#journal = journal;
  }

  /** Removes the journal last, so that the next start continues an interrupted removal. */
  async #end(): Promise<void> {
    const isStaged = this.#journal?.step === 'staged';
    if (isStaged) await removeFile(this.#files.journal);
    for (const path of this.#files.folders) await rm(path, { recursive: true, force: true });
    if (!isStaged) await removeFile(this.#files.journal);
    this.#journal = undefined;
    await rm(this.#files.folder, { recursive: true, force: true });
  }

  #logFailure(error: unknown): void {
    this.#o.log.error('restore.journal_failed', { reason: messageOf(error) });
  }
}

function reasonText(reason: ReturnReason, detail: Text): Text {
  return reason === 'failed' ? restoreMessage('failed', { reason: detail }) : restoreMessage(reason);
}

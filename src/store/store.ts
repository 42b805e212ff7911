// Runs on the main thread. The code of the writer thread is in `writer/`.

import { GatewayError } from '../shared/errors.js';
import { removeFile } from '../shared/files.js';
import { revived, type Text } from '../shared/messages/message.js';
import { sharedMessage } from '../shared/messages/messages.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { ReadDatabase } from '../shared/ports/database.js';
import type { Log } from '../shared/ports/log.js';
import type { ReplayRevocations } from '../shared/ports/revocations.js';
import type {
  BackupReport,
  Commit,
  CommittedWrite,
  LostWrites,
  RestoreReport,
  Store,
  StoreStatus,
} from '../shared/ports/store.js';
import { Signal } from '../shared/signal.js';
import { BackupScheduler } from './backup/backup-scheduler.js';
import { type Database, openForReading, readDatabase } from './connection.js';
import {
  FULL_AT_START,
  isQuotaExceeded,
  isReadOnly,
  latchUnwritableReason,
  ON_READ_ONLY,
  type Unwritable,
} from './disk-errors.js';
import { WriterHealth } from './health.js';
import { STORE_LIMITS, type StoreLimits } from './limits.js';
import { storeMessage } from './messages.js';
import { storePaths } from './paths.js';
import { lostWritesText } from './recovery/lost-writes.js';
import { openReadOnlyStore } from './recovery/read-only.js';
import { BatchDelay, type Settlement, WriteQueue } from './write-queue.js';
import type { FromWriter, StartReport } from './writer/protocol.js';
import { WriterHost } from './writer-host.js';

interface StoreOptions {
  dir: string;
  /** URL of `app/writer-worker.js`. */
  writer: URL;
  clock: Clock;
  log: Log;
  limits?: Partial<StoreLimits>;
  /** Only for a read-only store; the writer thread has its own `replay` function. */
  replay?: ReplayRevocations;
}

/**
 * Restores or migrates the database if necessary; on a read-only or full file system, opens it read-only.
 * Rejects with `STORE_NEWER`, `STORE_FULL` or `STORE_FAILED`.
 */
export async function openStore(o: StoreOptions): Promise<Store> {
  const limits = { ...STORE_LIMITS, ...o.limits };
  const store = new SqliteStore(o, limits);
  try {
    await store.open();
    return store;
  } catch (error) {
    const cause = unwritableCause(error, o.dir);
    if (!cause) throw error;
    return openReadOnlyStore({ ...o, limits, cause });
  }
}

/** Returns why the store must be read-only; undefined if the error has a different cause. */
function unwritableCause(error: unknown, dir: string): Unwritable | undefined {
  if (isReadOnly(dir)) return ON_READ_ONLY;
  const isFull = error instanceof GatewayError && error.code === 'STORE_FULL';
  return isFull || isQuotaExceeded(dir) ? FULL_AT_START : undefined;
}

class SqliteStore implements Store {
  readonly #o: StoreOptions;
  readonly #limits: StoreLimits;
  readonly #queue: WriteQueue;
  readonly #writer: WriterHost;
  readonly #health: WriterHealth;
  readonly #commits = new Signal<[Commit]>();
  readonly #backupFailures = new Signal<[Text]>();
  readonly #batchDelay = new BatchDelay(() => this.#flushNext());
  #backups: BackupScheduler | undefined;
  #report: StartReport = {
    schemaVersion: 0,
    notices: [],
    information: [],
    wasReplaced: false,
    replayed: [],
    isLastSecondUnverified: false,
  };
  #reader: Database | undefined;
  #read: ReadDatabase | undefined;
  #isFlushSet = false;
  #closing: Promise<void> | undefined;

  constructor(o: StoreOptions, limits: StoreLimits) {
    this.#o = o;
    this.#limits = limits;
    this.#queue = new WriteQueue(limits);
    this.#health = new WriterHealth({ clock: o.clock, log: o.log, probe: () => this.#writer.probe() });
    this.#writer = new WriterHost({
      script: o.writer,
      start: { dir: o.dir, limits },
      clock: o.clock,
      onAnswers: (answers) => this.#answered(answers),
      onDown: (reason) => this.#failPending(reason),
      onState: (state) => this.#health.update(state),
      onRefused: (disk) => {
        this.#health.disk = disk;
      },
    });
  }

  async open(): Promise<void> {
    const { dir, clock, log } = this.#o;
    const { report, state } = await this.#writer.open();
    this.#report = {
      ...report,
      notices: report.notices.map(revived),
      information: report.information.map(revived),
      ...(report.restored ? { restored: { ...report.restored, by: revived(report.restored.by) } } : {}),
    };
    if (report.lostWrites) log.error('store.writes_lost', { ...report.lostWrites });
    if (report.restored) log.warn('store.restored', { ...report.restored });
    this.#health.update(state);
    for (const notice of report.notices) log.error('store.notice_issued', { notice });
    for (const fields of report.replayed) log.warn('store.revocation_replayed', fields);
    this.#reader = openForReading(storePaths(dir).database);
    this.#read = readDatabase(this.#reader);
    const onFailed = (reason: Text): void => this.#backupFailures.emit(reason);
    this.#backups = new BackupScheduler({ dir, limits: this.#limits, clock, log, onFailed });
    log.info('store.opened', { dir, schemaVersion: report.schemaVersion });
  }

  get read(): ReadDatabase {
    if (!this.#read) throw new GatewayError('STORE_FAILED', 'the database is not open');
    return this.#read;
  }

  get unwritableReason(): Text {
    return latchUnwritableReason(this.#health.disk);
  }

  get wasReplaced(): boolean {
    return this.#report.wasReplaced;
  }

  /**
   * Queues the write. At the end of the event-loop iteration, `#flush` sends all queued writes in one message to the
   * writer thread, whose `WriterLoop` commits them in one transaction. `#answered` then notifies the listeners and
   * settles the writes. Writes that arrive meanwhile wait for the next transaction.
   */
  async write<Result>(name: string, args: unknown): Promise<Result> {
    if (this.#closing) throw new GatewayError('STOPPING', sharedMessage('stopping'));
    if (!this.#writer.isUp) throw unsentError(this.#health.reason);
    const result = this.#queue.add(name, args);
    this.#setFlush();
    return (await result) as Result;
  }

  status(): StoreStatus {
    const { restoredFrom, restored, notices, information } = this.#report;
    const { schemaVersion, lostWrites, isLastSecondUnverified } = this.#report;
    const { newest, failure } = this.#backups ?? {};
    const { reason, disk } = this.#health;
    return {
      healthy: reason === '',
      readOnly: disk.readOnly,
      reason,
      notices: [
        ...notices,
        ...(lostWrites ? [lostWritesText(lostWrites)] : []),
        ...(failure ? [failure] : []),
      ],
      information,
      ...(lostWrites ? { lostWrites } : {}),
      isLastSecondUnverified,
      ...(restoredFrom === undefined ? {} : { restoredFrom }),
      ...(restored ? { restored } : {}),
      schemaVersion,
      queueOperations: this.#queue.length,
      queueBytes: this.#queue.bytes,
      writerSilentMs: this.#writer.silentMs,
      metrics: this.#health.metrics(this.#queue.refused, this.#writer.restarts),
      ...(newest ? { lastBackup: { path: newest.path, bytes: newest.bytes, at: newest.at } } : {}),
    };
  }

  onCommit(listener: (commit: Commit) => void): Cancel {
    return this.#commits.on(listener);
  }

  onBackupFailed(listener: (reason: Text) => void): Cancel {
    return this.#backupFailures.on(listener);
  }

  async backup(): Promise<BackupReport> {
    if (!this.#backups) throw new GatewayError('STORE_FAILED', 'the database is not open');
    return await this.#backups.make();
  }

  async acknowledgeLostWrites(): Promise<LostWrites> {
    const { lostWrites, ...report } = this.#report;
    if (!lostWrites) throw new GatewayError('NOT_FOUND', storeMessage('no-lost-writes'));
    await removeFile(storePaths(this.#o.dir).lostWrites);
    this.#report = report;
    return lostWrites;
  }

  async confirmRestore(): Promise<RestoreReport> {
    const { restored, ...report } = this.#report;
    if (!restored) throw new GatewayError('NOT_FOUND', storeMessage('no-restore'));
    await removeFile(storePaths(this.#o.dir).restored);
    this.#report = report;
    return restored;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#backups?.close();
    this.#flush();
    // The writer closes last, because only a writable connection can checkpoint and remove the log.
    this.#reader?.close();
    await this.#writer.close();
    if (this.#queue.length > 0)
      this.#failPending('the writer thread exited while the gateway was shutting down');
    this.#health.stop();
  }

  /** Sends one event-loop iteration's writes in one message. Only one batch is in progress at a time. */
  #setFlush(): void {
    if (this.#isFlushSet) return;
    this.#isFlushSet = true;
    setImmediate(() => {
      this.#isFlushSet = false;
      if (!this.#batchDelay.isWaiting(this.#queue.unsent)) this.#flushNext();
    });
  }

  #flushNext(): void {
    if (this.#queue.sent === 0) this.#flush();
  }

  #flush(): void {
    this.#batchDelay.end();
    const operations = this.#queue.takeUnsent();
    if (operations.length === 0) return;
    this.#writer.write(operations, (id, error) => this.#queue.fail(id, error));
  }

  #answered({ outcomes, state }: Extract<FromWriter, { kind: 'answers' }>): void {
    this.#health.update(state);
    this.#writer.resetBackoff();
    const settlement = this.#queue.answered(outcomes);
    if (outcomes.length > 0) {
      this.#batchDelay.begin(this.#queue.unsent + outcomes.length, state.stats.lastCommitMs);
    }
    this.#setFlush();
    this.#settle(settlement);
  }

  #failPending(reason: Text): void {
    this.#health.ended();
    this.#health.reason = reason;
    const settlement = this.#queue.failAll(
      () =>
        new GatewayError('STORE_FAILED', storeMessage('not-known', { reason }), {
          retryAfterS: 1,
        }),
      () => unsentError(reason),
    );
    this.#settle(settlement);
  }

  /** Settles the writes even if a listener throws, because the callers must receive the results. */
  #settle({ saved, uncertain, settle }: Settlement): void {
    try {
      this.#announce('saved', saved);
      this.#announce('unknown', uncertain);
    } finally {
      settle();
    }
  }

  #announce(outcome: Commit['outcome'], writes: CommittedWrite[]): void {
    if (writes.length === 0) return;
    this.#commits.emit({ outcome, names: [...new Set(writes.map(({ name }) => name))], writes });
  }
}

function unsentError(reason: Text): GatewayError {
  return new GatewayError('STORE_FAILED', storeMessage('nothing-saved', { reason }), { retryAfterS: 1 });
}

import { GatewayError } from '../shared/errors.js';
import { revived, type Text } from '../shared/messages/message.js';
import { sharedMessage } from '../shared/messages/messages.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { ReadDatabase } from '../shared/ports/database.js';
import type { Log } from '../shared/ports/log.js';
import type { ReplayRevocations } from '../shared/ports/revocations.js';
import type { BackupReport, Commit, CommittedWrite, Store, StoreStatus } from '../shared/ports/store.js';
import { Signal } from '../shared/signal.js';
import { BackupKeeper } from './backup/keeper.js';
import { type Database, openForReading, readDatabase } from './connection.js';
import { FULL_AT_START, isReadOnly, ON_READ_ONLY, type Unwritable, unwritableReason } from './disk-errors.js';
import { WriterHealth } from './health.js';
import { STORE_LIMITS, type StoreLimits } from './limits.js';
import { storeMessage } from './messages.js';
import { storePaths } from './paths.js';
import { openReadOnlyStore } from './recovery/read-only.js';
import type { FromWriter, StartReport } from './writer/protocol.js';
import { Gathering, WriteQueue } from './writer/queue.js';
import { WriterThread } from './writer/writer-thread.js';

interface StoreOptions {
  /** The data directory; made when it is not there. */
  dir: string;
  /** The compiled root of the writer thread (`writer.js`). */
  writer: URL;
  clock: Clock;
  log: Log;
  limits?: Partial<StoreLimits>;
  /** As the writer's; for a store that only reads. */
  replay?: ReplayRevocations;
}

/**
 * Opens the database: checked, restored from a backup when it is damaged, migrated. On a read-only file system, and where
 * there is no room to open it, it is a store that only reads. Rejects with `STORE_NEWER`, `STORE_FULL` or `STORE_FAILED` and
 * a sentence for the operator.
 */
export async function openStore(o: StoreOptions): Promise<Store> {
  const limits = { ...STORE_LIMITS, ...o.limits };
  const store = new SqliteStore(o, limits);
  try {
    await store.open();
    return store;
  } catch (error) {
    const why = unwritable(error, o.dir);
    if (!why) throw error;
    return openReadOnlyStore({ ...o, limits, why });
  }
}

/** Why reading is all that can be done; undefined when not even that helps. */
function unwritable(error: unknown, dir: string): Unwritable | undefined {
  if (isReadOnly(dir)) return ON_READ_ONLY;
  return error instanceof GatewayError && error.code === 'STORE_FULL' ? FULL_AT_START : undefined;
}

class SqliteStore implements Store {
  readonly #o: StoreOptions;
  readonly #limits: StoreLimits;
  readonly #queue: WriteQueue;
  readonly #writer: WriterThread;
  readonly #health: WriterHealth;
  readonly #commits = new Signal<[Commit]>();
  readonly #gathering = new Gathering(() => this.#flushNext());
  #backups: BackupKeeper | undefined;
  #report: StartReport = { schemaVersion: 0, notices: [], replayed: [] };
  #reader: Database | undefined;
  #read: ReadDatabase | undefined;
  #isFlushSet = false;
  #closing: Promise<void> | undefined;

  constructor(o: StoreOptions, limits: StoreLimits) {
    this.#o = o;
    this.#limits = limits;
    this.#queue = new WriteQueue(limits);
    this.#health = new WriterHealth({ clock: o.clock, log: o.log, probe: () => this.#writer.probe() });
    this.#writer = new WriterThread({
      script: o.writer,
      start: { dir: o.dir, limits },
      clock: o.clock,
      onAnswers: (answers) => this.#answered(answers),
      onDown: (reason) => this.#lost(reason),
      onState: (state) => this.#health.heard(state),
      onRefused: (disk) => {
        this.#health.disk = disk;
      },
    });
  }

  async open(): Promise<void> {
    const { dir, clock, log } = this.#o;
    const { report, state } = await this.#writer.open();
    this.#report = { ...report, notices: report.notices.map(revived) };
    this.#health.heard(state);
    for (const notice of report.notices) log.error('store.notice', { notice });
    for (const fields of report.replayed) log.warn('store.revocation_replayed', fields);
    this.#reader = openForReading(storePaths(dir).database);
    this.#read = readDatabase(this.#reader);
    this.#backups = new BackupKeeper({ dir, limits: this.#limits, clock, log });
    log.info('store.opened', { dir, schemaVersion: report.schemaVersion });
  }

  get read(): ReadDatabase {
    if (!this.#read) throw new GatewayError('STORE_FAILED', 'the database is not open');
    return this.#read;
  }

  get unwritable(): Text {
    return unwritableReason(this.#health.disk);
  }

  async write<Result>(name: string, args: unknown): Promise<Result> {
    if (this.#closing) throw new GatewayError('STOPPING', sharedMessage('stopping'));
    if (!this.#writer.isUp) throw unsent(this.#health.reason);
    const result = this.#queue.add(name, args);
    this.#setFlush();
    return (await result) as Result;
  }

  status(): StoreStatus {
    const { restoredFrom, notices, schemaVersion } = this.#report;
    const { newest, failure } = this.#backups ?? {};
    const { reason, disk } = this.#health;
    return {
      healthy: reason === '',
      readOnly: disk.readOnly,
      reason,
      notices: failure ? [...notices, failure] : notices,
      ...(restoredFrom === undefined ? {} : { restoredFrom }),
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

  async backup(): Promise<BackupReport> {
    if (!this.#backups) throw new GatewayError('STORE_FAILED', 'the database is not open');
    return await this.#backups.make();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#backups?.close();
    this.#flush();
    // The writer lets go last: only a connection that may write can bring the log into the file and remove it.
    this.#reader?.close();
    await this.#writer.close();
    if (this.#queue.length > 0) this.#lost('the writer thread ended while the gateway was stopping');
    this.#health.stop();
  }

  /**
   * One message for all that is written in one turn of the event loop, and one commit at a time: what comes meanwhile
   * shares the next one. The writer could not begin with it any earlier.
   */
  #setFlush(): void {
    if (this.#isFlushSet) return;
    this.#isFlushSet = true;
    setImmediate(() => {
      this.#isFlushSet = false;
      if (!this.#gathering.isWaiting(this.#queue.unsent)) this.#flushNext();
    });
  }

  #flushNext(): void {
    if (this.#queue.sent === 0) this.#flush();
  }

  #flush(): void {
    this.#gathering.end();
    const operations = this.#queue.takeUnsent();
    if (operations.length === 0) return;
    this.#writer.write(operations, (id, error) => this.#queue.fail(id, error));
  }

  #answered({ outcomes, state }: Extract<FromWriter, { kind: 'answers' }>): void {
    this.#health.heard(state);
    this.#writer.worked();
    const { saved, unsure, settle } = this.#queue.answered(outcomes);
    this.#announce('saved', saved);
    this.#announce('unknown', unsure);
    if (outcomes.length > 0) {
      this.#gathering.begin(this.#queue.unsent + outcomes.length, state.stats.lastCommitMs);
    }
    settle();
    this.#setFlush();
  }

  #lost(reason: Text): void {
    this.#health.ended();
    this.#health.reason = reason;
    const { unsure, settle } = this.#queue.lost(
      () =>
        new GatewayError('STORE_FAILED', storeMessage('not-known', { reason }), {
          retryAfterS: 1,
        }),
      () => unsent(reason),
    );
    this.#announce('unknown', unsure);
    settle();
  }

  #announce(outcome: Commit['outcome'], writes: CommittedWrite[]): void {
    if (writes.length === 0) return;
    this.#commits.emit({ outcome, names: [...new Set(writes.map(({ name }) => name))], writes });
  }
}

function unsent(reason: Text): GatewayError {
  return new GatewayError('STORE_FAILED', storeMessage('nothing-saved', { reason }), { retryAfterS: 1 });
}

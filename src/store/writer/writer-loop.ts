// Runs on the writer thread, as does `WriteMetrics`.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { textOf } from '../../shared/messages/message.js';
import type { WriteOperations } from '../../shared/ports/database.js';
import type { ReplayRevocations } from '../../shared/ports/revocations.js';
import { toWire } from '../../shared/worker.js';
import { type Database, probeWriteOf } from '../connection.js';
import {
  diskError,
  diskReason,
  isMountedReadOnly,
  isReadOnly,
  lowSpaceError,
  ON_READ_ONLY,
  requireWritableMount,
  unwritableError,
} from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { storePaths } from '../paths.js';
import type { CommitCounter } from '../recovery/commit-number.js';
import { createReserve } from '../recovery/disk-reserve.js';
import { startDatabase } from '../recovery/open-database.js';
import type { RevocationJournal } from '../recovery/revocations.js';
import { Batches, rejectAll, savedOf } from './batch.js';
import type {
  DiskState,
  FromWriter,
  ToWriter,
  WireOperation,
  WriteOutcome,
  WriterStart,
  WriterState,
} from './protocol.js';
import { freeBytesOf, WriteMetrics } from './write-metrics.js';

/** Commits the main thread's writes until it receives `close`. Operation names must be unique. */
export async function runWriter(modules: WriteOperations[], replay?: ReplayRevocations): Promise<void> {
  if (!parentPort) throw new Error('the writer must run as a worker thread');
  const port = parentPort;
  const send = (message: FromWriter): void => port.postMessage(message);
  const { dir, limits, isRestart } = workerData as WriterStart;
  try {
    const operations = merged(modules);
    const options = replay ? { replay } : {};
    const { db, journal, commits, report } = await startDatabase(dir, limits, isRestart, options);
    const loop = new WriterLoop({ db, dir, journal, commits, limits, operations, port });
    port.on('message', (message: ToWriter) => loop.receive(message));
    send({ kind: 'ready', report, state: loop.checkDisk() });
  } catch (thrown) {
    const disk = { readOnly: isReadOnly(dir), freeBytes: freeBytesOf(dir) };
    send({ kind: 'refused', error: toWire(thrown), disk });
    port.close();
  }
}

function merged(modules: readonly WriteOperations[]): WriteOperations {
  const names = modules.flatMap((operations) => Object.keys(operations));
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate) throw new Error(`two modules define the write operation "${duplicate}"`);
  return Object.assign({}, ...modules) as WriteOperations;
}

interface WriterLoopDeps {
  db: Database;
  dir: string;
  journal: RevocationJournal;
  commits: CommitCounter;
  limits: StoreLimits;
  operations: WriteOperations;
  port: MessagePort;
}

class WriterLoop {
  readonly #deps: WriterLoopDeps;
  readonly #batches: Batches;
  readonly #metrics: WriteMetrics;
  readonly #probeWrite: () => void;
  #queue: WireOperation[] = [];
  #isRunScheduled = false;
  #isClosing = false;
  #commitFault: Text = '';
  #checkpointFault: Text = '';
  #damage: Text = '';
  /** True after a failed write, because a mount may reject writes even if it is not marked as read-only. */
  #rejectsWrites = false;

  constructor(deps: WriterLoopDeps) {
    this.#deps = deps;
    this.#batches = new Batches(deps.db, deps.dir, deps.operations, {
      beforeCommit: (operations) => deps.commits.count(operations),
      onCommitted: () => {
        deps.journal.publish();
        deps.commits.publish();
      },
    });
    this.#metrics = new WriteMetrics(deps.db, deps.dir);
    this.#probeWrite = probeWriteOf(deps.db);
  }

  /** Detects a disk fault without waiting for a write to fail. */
  checkDisk(): WriterState {
    this.#metrics.freeBytes(true);
    this.#commitFault ||= this.#diskError()?.text ?? '';
    return this.#state;
  }

  /** Processes a message. Queued writes run as one batch after all pending messages have been processed. */
  receive(message: ToWriter): void {
    if (message.kind === 'write') for (const operation of message.operations) this.#queue.push(operation);
    if (message.kind === 'probe') return this.#probe();
    if (message.kind === 'ping') return this.#pong();
    if (message.kind === 'close') this.#isClosing = true;
    this.#scheduleRun();
  }

  #scheduleRun(): void {
    if (this.#isRunScheduled) return;
    this.#isRunScheduled = true;
    setImmediate(() => {
      this.#isRunScheduled = false;
      this.#run();
    });
  }

  #run(): void {
    const { batchOperations, checkpointPages } = this.#deps.limits;
    if (this.#queue.length > 0) {
      this.#commit(this.#queue.splice(0, batchOperations));
      // The checkpoint follows the responses, so that only the next batch waits for it.
      if (this.#metrics.pendingPages >= checkpointPages) this.#checkpoint();
    }
    if (this.#queue.length > 0) this.#scheduleRun();
    else if (this.#isClosing) this.#close();
  }

  #commit(operations: readonly WireOperation[]): void {
    const startedMs = performance.now();
    const full = lowSpaceError(this.#metrics.freeBytes(), this.#deps.limits.minFreeBytes);
    const result = full ? rejectAll(operations, full) : this.#batches.run(operations);
    const saved = savedOf(result.outcomes);
    this.#metrics.countCommit(startedMs, saved, operations.length - saved);
    this.#commitFault = result.fault?.text ?? '';
    if (result.fault && !full) this.#rejectsWrites ||= isReadOnly(this.#deps.dir);
    if (result.damage) this.#damage = result.damage.text;
    this.#answer(result.outcomes);
  }

  #probe(): void {
    const { db, dir, limits } = this.#deps;
    try {
      this.#metrics.freeBytes(true);
      this.#rejectsWrites = isReadOnly(dir);
      const error = this.#diskError();
      if (error) throw error;
      if (this.#commitFault) {
        this.#probeWrite();
        requireWritableMount(dir);
        this.#deps.journal.publish();
        this.#deps.commits.publish();
        createReserve(storePaths(dir), limits.minFreeBytes);
      }
      this.#metrics.countCommit(performance.now(), 0, 0);
      this.#commitFault = '';
    } catch (thrown) {
      if (db.inTransaction) db.exec('ROLLBACK');
      this.#commitFault = (thrown instanceof GatewayError ? thrown : diskError(thrown, dir)).text;
    }
    if (this.#checkpointFault) this.#checkpoint();
    this.#answer([]);
  }

  #checkpoint(): void {
    const before = this.#checkpointFault;
    try {
      this.#deps.commits.duringCheckpoint(this.#metrics.logFrames, () => this.#metrics.checkpoint());
      this.#checkpointFault = '';
    } catch (thrown) {
      const reason = diskReason(thrown, this.#deps.dir);
      this.#checkpointFault = storeMessage('checkpoint-failed', { reason });
    }
    if (textOf(before) !== textOf(this.#checkpointFault)) this.#answer([]);
  }

  #answer(outcomes: readonly WriteOutcome[]): void {
    const message: FromWriter = { kind: 'answers', outcomes, state: this.#state };
    this.#deps.port.postMessage(message);
  }

  #pong(): void {
    this.#deps.commits.sync();
    const state = this.checkDisk();
    const message: FromWriter = { kind: 'pong', state };
    this.#deps.port.postMessage(message);
    if (state.fault === '') this.#restoreReserve();
  }

  /** Creates the reserve again, because it may have been released to save a latched stop. */
  #restoreReserve(): void {
    try {
      createReserve(storePaths(this.#deps.dir), this.#deps.limits.minFreeBytes);
    } catch {
      // Writes do not need the reserve. The next ping tries again.
    }
  }

  get #state(): WriterState {
    const fault = this.#damage || this.#commitFault || this.#checkpointFault || this.#deps.commits.fault;
    return { fault, disk: this.#disk, stats: this.#metrics.stats };
  }

  get #disk(): DiskState {
    const readOnly = this.#rejectsWrites || isMountedReadOnly(this.#deps.dir);
    return { readOnly, freeBytes: this.#metrics.freeBytes() };
  }

  /** Returns an error if writes must be rejected without being attempted. */
  #diskError(): GatewayError | undefined {
    const { readOnly, freeBytes } = this.#disk;
    return readOnly
      ? unwritableError(ON_READ_ONLY)
      : lowSpaceError(freeBytes, this.#deps.limits.minFreeBytes);
  }

  #close(): void {
    const { db, commits, port } = this.#deps;
    db.close();
    try {
      commits.close();
    } catch {
      // The next start then checks the database as it does after a crash.
    }
    port.close();
  }
}

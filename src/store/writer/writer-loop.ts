import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { textOf } from '../../shared/messages/message.js';
import type { WriteOperations } from '../../shared/ports/database.js';
import type { ReplayRevocations } from '../../shared/ports/revocations.js';
import { type Database, toucherOf } from '../connection.js';
import {
  diskError,
  diskReason,
  isMountedReadOnly,
  isReadOnly,
  lowSpace,
  ON_READ_ONLY,
  refuseUnkept,
  unwritableRefusal,
} from '../disk-errors.js';
import type { StoreLimits } from '../limits.js';
import { storeMessage } from '../messages.js';
import { storePaths } from '../paths.js';
import { layByReserve } from '../recovery/disk-reserve.js';
import { startDatabase } from '../recovery/open-database.js';
import type { RevocationJournal } from '../recovery/revocations.js';
import { Batches, cloneable, refuseAll } from './batch.js';
import {
  type DiskState,
  type FromWriter,
  type Outcome,
  type ToWriter,
  toWire,
  type WireOperation,
  type WriterStart,
  type WriterState,
} from './protocol.js';
import { freeBytesOf, WriteMetrics } from './write-metrics.js';

/**
 * The whole of the writer thread: opens the database, then commits what the main thread sends until it is told to close.
 * @param rooms the operations of each room; a name that two rooms use is a mistake and throws.
 */
export async function runWriter(rooms: WriteOperations[], replay?: ReplayRevocations): Promise<void> {
  if (!parentPort) throw new Error('the writer is a thread of the gateway, not a program');
  const port = parentPort;
  const send = (message: FromWriter): void => port.postMessage(message);
  const { dir, limits, isRestart } = workerData as WriterStart;
  try {
    const operations = joined(rooms);
    const options = replay ? { replay } : {};
    const { db, journal, report } = await startDatabase(dir, limits, isRestart, options);
    const loop = new WriterLoop({ db, dir, journal, limits, operations, port });
    port.on('message', (message: ToWriter) => loop.take(message));
    send({ kind: 'ready', report, state: loop.look() });
  } catch (thrown) {
    const disk = { readOnly: isReadOnly(dir), freeBytes: freeBytesOf(dir) };
    send({ kind: 'refused', error: toWire(thrown), disk });
    port.close();
  }
}

function joined(rooms: readonly WriteOperations[]): WriteOperations {
  const names = rooms.flatMap((room) => Object.keys(room));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`two rooms have a write operation "${twice}"`);
  return Object.assign({}, ...rooms) as WriteOperations;
}

interface WriterParts {
  db: Database;
  dir: string;
  journal: RevocationJournal;
  limits: StoreLimits;
  operations: WriteOperations;
  port: MessagePort;
}

/** The writer thread's life: take all that is queued, commit it as one transaction, answer, see to the log, again. */
class WriterLoop {
  readonly #parts: WriterParts;
  readonly #batches: Batches;
  readonly #meter: WriteMetrics;
  readonly #touch: () => void;
  #queue: WireOperation[] = [];
  #isTurnSet = false;
  #isClosing = false;
  /** Why the disk refuses commits, checkpoints, or pages that are damaged; empty when all is well. */
  #commitFault: Text = '';
  #checkpointFault: Text = '';
  #damage: Text = '';
  /** What an attempt met, until another one succeeds: a file system can refuse all writes and be mounted to take them. */
  #refusesWrites = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#batches = new Batches(parts.db, parts.dir, parts.operations, () => parts.journal.publish());
    this.#meter = new WriteMetrics(parts.db, parts.dir);
    this.#touch = toucherOf(parts.db);
  }

  /** How the writer is, after a look at the disk: what is wrong with it is told before somebody's next write fails. */
  look(): WriterState {
    this.#meter.freeBytes(true);
    this.#commitFault ||= this.#refusal()?.said ?? '';
    return this.#state;
  }

  /** Takes what the main thread sent; the work is done when all messages that have come are taken. */
  take(message: ToWriter): void {
    if (message.kind === 'write') for (const operation of message.operations) this.#queue.push(operation);
    if (message.kind === 'probe') return this.#probe();
    if (message.kind === 'ping') return this.#pong();
    if (message.kind === 'close') this.#isClosing = true;
    this.#setTurn();
  }

  #setTurn(): void {
    if (this.#isTurnSet) return;
    this.#isTurnSet = true;
    setImmediate(() => {
      this.#isTurnSet = false;
      this.#turn();
    });
  }

  #turn(): void {
    const { batchOperations, checkpointPages } = this.#parts.limits;
    if (this.#queue.length > 0) {
      this.#commit(this.#queue.splice(0, batchOperations));
      // After the answers: nobody waits for it, except the next batch.
      if (this.#meter.pendingPages >= checkpointPages) this.#checkpoint();
    }
    if (this.#queue.length > 0) this.#setTurn();
    else if (this.#isClosing) this.#close();
  }

  #commit(operations: readonly WireOperation[]): void {
    const startedMs = performance.now();
    const full = lowSpace(this.#meter.freeBytes(), this.#parts.limits.minFreeBytes);
    const result = full ? refuseAll(operations, full) : this.#batches.run(operations);
    const saved = result.outcomes.reduce((sum, outcome) => sum + ('error' in outcome ? 0 : 1), 0);
    this.#meter.countCommit(startedMs, saved, operations.length - saved);
    this.#commitFault = result.fault?.said ?? '';
    if (result.fault && !full) this.#refusesWrites ||= isReadOnly(this.#parts.dir);
    if (result.damage) this.#damage = result.damage.said;
    this.#answer(result.outcomes);
  }

  /** Tries again what failed last. */
  #probe(): void {
    const { db, dir, limits } = this.#parts;
    try {
      this.#meter.freeBytes(true);
      this.#refusesWrites = isReadOnly(dir);
      const refusal = this.#refusal();
      if (refusal) throw refusal;
      if (this.#commitFault) {
        this.#touch();
        refuseUnkept(dir);
        this.#parts.journal.publish();
        layByReserve(storePaths(dir), limits.minFreeBytes);
      }
      this.#meter.countCommit(performance.now(), 0, 0);
      this.#commitFault = '';
    } catch (thrown) {
      if (db.inTransaction) db.exec('ROLLBACK');
      this.#commitFault = (thrown instanceof GatewayError ? thrown : diskError(thrown, dir)).said;
    }
    if (this.#checkpointFault) this.#checkpoint();
    this.#answer([]);
  }

  #checkpoint(): void {
    const before = this.#checkpointFault;
    try {
      this.#meter.checkpoint();
      this.#checkpointFault = '';
    } catch (thrown) {
      const reason = diskReason(thrown, this.#parts.dir);
      this.#checkpointFault = storeMessage('checkpoint-failed', { reason });
    }
    if (textOf(before) !== textOf(this.#checkpointFault)) this.#answer([]);
  }

  #answer(outcomes: readonly Outcome[]): void {
    const state = this.#state;
    const post = (checked: readonly Outcome[]): void => {
      const message: FromWriter = { kind: 'answers', outcomes: checked, state };
      this.#parts.port.postMessage(message);
    };
    try {
      post(outcomes);
    } catch {
      post(outcomes.map(cloneable));
    }
  }

  #pong(): void {
    const state = this.look();
    const message: FromWriter = { kind: 'pong', state };
    this.#parts.port.postMessage(message);
    if (state.fault === '') this.#layBy();
  }

  /** The room may have been given up for the latch of an emergency stop. */
  #layBy(): void {
    try {
      layByReserve(storePaths(this.#parts.dir), this.#parts.limits.minFreeBytes);
    } catch {
      // No write fails for want of it, and it is tried again in a second.
    }
  }

  get #state(): WriterState {
    const fault = this.#damage || this.#commitFault || this.#checkpointFault;
    return { fault, disk: this.#disk, stats: this.#meter.stats };
  }

  get #disk(): DiskState {
    const readOnly = this.#refusesWrites || isMountedReadOnly(this.#parts.dir);
    return { readOnly, freeBytes: this.#meter.freeBytes() };
  }

  /** Why no write is to be tried. */
  #refusal(): GatewayError | undefined {
    const { readOnly, freeBytes } = this.#disk;
    return readOnly ? unwritableRefusal(ON_READ_ONLY) : lowSpace(freeBytes, this.#parts.limits.minFreeBytes);
  }

  #close(): void {
    this.#parts.db.close();
    this.#parts.port.close();
  }
}

import type { MessagePort } from 'node:worker_threads';
import type { WriteOperations } from '../ports.js';
import { GatewayError } from '../util/errors.js';
import { Batches } from './batch.js';
import { type Database, toucherOf } from './connection.js';
import { diskError, lowSpace, refuseUnkept } from './disk-errors.js';
import type { StoreLimits } from './limits.js';
import { Meter } from './meter.js';
import { cloneable, refuseAll } from './outcomes.js';
import { storePaths } from './paths.js';
import type { FromWriter, Outcome, ToWriter, WireOperation } from './protocol.js';
import { layByReserve } from './reserve.js';

export interface WriterParts {
  db: Database;
  dir: string;
  limits: StoreLimits;
  operations: WriteOperations;
  port: MessagePort;
}

/** The writer thread's life: take all that is queued, commit it as one transaction, answer, see to the log, again. */
export class WriterLoop {
  readonly #parts: WriterParts;
  readonly #batches: Batches;
  readonly #meter: Meter;
  readonly #touch: () => void;
  #queue: WireOperation[] = [];
  #isTurnSet = false;
  #isClosing = false;
  /** Why the disk refuses commits, checkpoints, or pages that are damaged; empty when all is well. */
  #commitFault = '';
  #checkpointFault = '';
  #damage = '';

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#batches = new Batches(parts.db, parts.dir, parts.operations);
    this.#meter = new Meter(parts.db, parts.dir);
    this.#touch = toucherOf(parts.db);
  }

  /** Counters since the thread started. */
  get stats(): Meter['stats'] {
    this.#meter.freeBytes();
    return this.#meter.stats;
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
    this.#commitFault = result.fault?.message ?? '';
    if (result.damage) this.#damage = result.damage.message;
    this.#answer(result.outcomes);
  }

  /** Tries again what failed last. */
  #probe(): void {
    const { db, dir, limits } = this.#parts;
    try {
      const full = lowSpace(this.#meter.freeBytes(true), limits.minFreeBytes);
      if (full) throw full;
      if (this.#commitFault) {
        this.#touch();
        refuseUnkept(dir);
        layByReserve(storePaths(dir), limits.minFreeBytes);
      }
      this.#meter.countCommit(performance.now(), 0, 0);
      this.#commitFault = '';
    } catch (thrown) {
      if (db.inTransaction) db.exec('ROLLBACK');
      this.#commitFault = thrown instanceof GatewayError ? thrown.message : diskError(thrown, dir).message;
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
      const { message } = diskError(thrown, this.#parts.dir);
      this.#checkpointFault = message.replace(
        'nothing was saved',
        'the log cannot be brought into the database',
      );
    }
    if (before !== this.#checkpointFault) this.#answer([]);
  }

  #answer(outcomes: readonly Outcome[]): void {
    const fault = this.#damage || this.#commitFault || this.#checkpointFault;
    const post = (checked: readonly Outcome[]): void => {
      const message: FromWriter = { kind: 'answers', outcomes: checked, fault, stats: this.#meter.stats };
      this.#parts.port.postMessage(message);
    };
    try {
      post(outcomes);
    } catch {
      post(outcomes.map(cloneable));
    }
  }

  #pong(): void {
    const message: FromWriter = { kind: 'pong' };
    this.#parts.port.postMessage(message);
  }

  #close(): void {
    this.#parts.db.close();
    this.#parts.port.close();
  }
}

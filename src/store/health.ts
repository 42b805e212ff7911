// Runs on the main thread.

import { revived, type Text, textOf } from '../shared/messages/message.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import type { StoreMetrics } from '../shared/ports/store.js';
import type { DiskState, WriterState, WriterStats } from './writer/protocol.js';

export const NO_STATS: WriterStats = {
  transactions: 0,
  operations: 0,
  failedOperations: 0,
  fsyncs: 0,
  bytesWritten: 0,
  lastCommitMs: 0,
  walBytes: 0,
};

const PROBE_INTERVAL_MS = 2000;

interface WriterHealthOptions {
  clock: Clock;
  log: Log;
  probe(): void;
}

/** Counters survive a writer restart. While writes fail, a probe every 2 s detects the recovery. */
export class WriterHealth {
  /** The last reported state, possibly from a thread that has ended. */
  disk: DiskState = { readOnly: false, freeBytes: -1 };
  readonly #o: WriterHealthOptions;
  #stopProbing: Cancel | undefined;
  #before: WriterStats = NO_STATS;
  #now: WriterStats = NO_STATS;
  #reason: Text = '';

  constructor(o: WriterHealthOptions) {
    this.#o = o;
  }

  get reason(): Text {
    return this.#reason;
  }

  set reason(reason: Text) {
    if (textOf(reason) === textOf(this.#reason)) return;
    this.#reason = reason;
    const { clock, log, probe } = this.#o;
    if (reason) log.error('store.failed', { reason });
    else log.info('store.recovered');
    if (reason) this.#stopProbing ??= clock.every(PROBE_INTERVAL_MS, probe);
    else this.stop();
  }

  stop(): void {
    this.#stopProbing?.();
    this.#stopProbing = undefined;
  }

  update({ fault, disk, stats }: WriterState): void {
    this.#now = stats;
    this.disk = disk;
    this.reason = revived(fault);
  }

  /** Call this when the writer thread has ended, because the next thread's counters start at 0. */
  ended(): void {
    this.#before = this.#sum();
    this.#now = { ...NO_STATS, walBytes: this.#now.walBytes };
  }

  metrics(refusedOperations: number, writerRestarts: number): StoreMetrics {
    const sum = this.#sum();
    const per = (total: number): number => (sum.operations === 0 ? 0 : total / sum.operations);
    return {
      ...sum,
      freeBytes: this.disk.freeBytes,
      refusedOperations,
      writerRestarts,
      fsyncsPerWrite: per(sum.fsyncs),
      bytesPerWrite: per(sum.bytesWritten),
    };
  }

  #sum(): WriterStats {
    const before = this.#before;
    const now = this.#now;
    return {
      ...now,
      transactions: before.transactions + now.transactions,
      operations: before.operations + now.operations,
      failedOperations: before.failedOperations + now.failedOperations,
      fsyncs: before.fsyncs + now.fsyncs,
      bytesWritten: before.bytesWritten + now.bytesWritten,
    };
  }
}

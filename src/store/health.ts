import type { Log, StoreMetrics } from '../ports.js';
import type { WriterStats } from './protocol.js';

const NOTHING: WriterStats = {
  transactions: 0,
  operations: 0,
  failedOperations: 0,
  fsyncs: 0,
  bytesWritten: 0,
  lastCommitMs: 0,
  freeBytes: -1,
  walBytes: 0,
};

/** What is known of the writer: its counters over all restarts, and why it cannot write. Logs only changes. */
export class WriterHealth {
  readonly #log: Log;
  #before: WriterStats = NOTHING;
  #now: WriterStats = NOTHING;
  #reason = '';

  constructor(log: Log) {
    this.#log = log;
  }

  /** In words; empty while writes work. */
  get reason(): string {
    return this.#reason;
  }

  set reason(reason: string) {
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason) this.#log.error('store.failed', { reason });
    else this.#log.info('store.recovered');
  }

  /** Newer counters of the same thread. */
  heard(stats: WriterStats): void {
    this.#now = stats;
  }

  /** The thread is gone; its successor counts from nothing. */
  ended(): void {
    this.#before = this.#sum();
    this.#now = { ...NOTHING, freeBytes: this.#now.freeBytes, walBytes: this.#now.walBytes };
  }

  metrics(refusedOperations: number, writerRestarts: number): StoreMetrics {
    const sum = this.#sum();
    const per = (total: number): number => (sum.operations === 0 ? 0 : total / sum.operations);
    return {
      ...sum,
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

import { revived, type Text, textOf } from '../shared/messages/message.js';
import type { Cancel, Clock } from '../shared/ports/clock.js';
import type { Log } from '../shared/ports/log.js';
import type { StoreMetrics } from '../shared/ports/store.js';
import type { DiskState, WriterState, WriterStats } from './writer/protocol.js';

/** Of a writer that has not written, or of none. */
export const NO_STATS: WriterStats = {
  transactions: 0,
  operations: 0,
  failedOperations: 0,
  fsyncs: 0,
  bytesWritten: 0,
  lastCommitMs: 0,
  walBytes: 0,
};

const PROBE_EVERY_MS = 2000;

interface WriterHealthOptions {
  clock: Clock;
  log: Log;
  /** Asks the writer to try again. */
  probe(): void;
}

/**
 * What is known of the writer and its disk: its counters over all restarts, and why it cannot write. Logs only changes.
 * While it cannot, it is asked every two seconds whether it can again: there may be no writes that would tell.
 */
export class WriterHealth {
  /** As it was last told, maybe by a thread that has ended since. */
  disk: DiskState = { readOnly: false, freeBytes: -1 };
  readonly #o: WriterHealthOptions;
  #stopProbing: Cancel | undefined;
  #before: WriterStats = NO_STATS;
  #now: WriterStats = NO_STATS;
  #reason: Text = '';

  constructor(o: WriterHealthOptions) {
    this.#o = o;
  }

  /** In words; empty while writes work. */
  get reason(): Text {
    return this.#reason;
  }

  set reason(reason: Text) {
    if (textOf(reason) === textOf(this.#reason)) return;
    this.#reason = reason;
    const { clock, log, probe } = this.#o;
    if (reason) log.error('store.failed', { reason });
    else log.info('store.recovered');
    if (reason) this.#stopProbing ??= clock.every(PROBE_EVERY_MS, probe);
    else this.stop();
  }

  /** Asks no more. */
  stop(): void {
    this.#stopProbing?.();
    this.#stopProbing = undefined;
  }

  /** Newer counters of the same thread, and how it is. */
  heard({ fault, disk, stats }: WriterState): void {
    this.#now = stats;
    this.disk = disk;
    this.reason = revived(fault);
  }

  /** The thread is gone; its successor counts from nothing. */
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

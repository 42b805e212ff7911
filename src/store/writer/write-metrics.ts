// `WriteMetrics` runs on the writer thread.

import { readFileSync } from 'node:fs';
import { freeBytesIn } from '../../shared/files.js';
import type { Database } from '../connection.js';
import type { WriterStats } from './protocol.js';

interface WalState {
  /** Number of frames in the log, and how many of them are already in the database file. */
  log: number;
  checkpointed: number;
}

const FRAME_HEADER_BYTES = 24;
const WAL_HEADER_BYTES = 32;
/** Batches within this time share the result of one system call, because free space changes slowly. */
const FREE_SPACE_INTERVAL_MS = 250;

/**
 * Measures the cost of durability. SQLite does not count fsyncs: synchronous=FULL requires one per commit,
 * one per log restart and two per checkpoint.
 */
export class WriteMetrics {
  readonly stats: WriterStats;
  readonly #dir: string;
  readonly #pageBytes: number;
  readonly #inspect;
  readonly #checkpoint;
  #wal: WalState;
  #freeBytes = -1;
  #freeAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Database, dir: string) {
    this.#dir = dir;
    this.#pageBytes = Number(db.pragma('page_size', { simple: true }));
    // NOOP reports the state without running a checkpoint.
    this.#inspect = db.prepare<[], WalState>('PRAGMA wal_checkpoint(NOOP)');
    this.#checkpoint = db.prepare<[], WalState>('PRAGMA wal_checkpoint(PASSIVE)');
    this.#wal = this.#state();
    this.stats = {
      transactions: 0,
      operations: 0,
      failedOperations: 0,
      fsyncs: 0,
      bytesWritten: 0,
      lastCommitMs: 0,
      walBytes: 0,
    };
  }

  /** Log pages that are not yet in the database file. */
  get pendingPages(): number {
    return this.#wal.log - this.#wal.checkpointed;
  }

  /** Length of the log in frames. */
  get logFrames(): number {
    return this.#wal.log;
  }

  /** Returns -1 if the free space is unknown. Unless `isNow` is set, the value can be up to 250 ms old. */
  freeBytes(isNow = false): number {
    const nowMs = performance.now();
    if (isNow || nowMs - this.#freeAtMs >= FREE_SPACE_INTERVAL_MS) {
      this.#freeBytes = freeBytesOf(this.#dir);
      this.#freeAtMs = nowMs;
    }
    return this.#freeBytes;
  }

  countCommit(sinceMs: number, saved: number, failed: number): void {
    const { stats } = this;
    stats.operations += saved;
    stats.failedOperations += failed;
    const before = this.#wal;
    this.#wal = this.#state();
    const isRestarted = this.#wal.checkpointed < before.checkpointed;
    const frames = this.#wal.log - (isRestarted ? 0 : before.log);
    stats.walBytes = this.#wal.log * this.#frameBytes;
    if (frames <= 0) return;
    stats.lastCommitMs = performance.now() - sinceMs;
    stats.transactions += 1;
    stats.fsyncs += isRestarted ? 2 : 1;
    stats.bytesWritten += frames * this.#frameBytes + (isRestarted ? WAL_HEADER_BYTES : 0);
  }

  /** Copies as much of the log to the database file as current readers allow. Throws SQLite errors. */
  checkpoint(): void {
    const before = this.#wal;
    const bytesBefore = threadBytesWritten();
    this.#checkpoint.get();
    this.#wal = this.#state();
    const pages = this.#wal.checkpointed - before.checkpointed;
    if (pages <= 0) return;
    this.stats.fsyncs += 2;
    // Measures the bytes, because a page that occurs several times in the log is copied only once. If /proc
    // is unavailable, the result is an upper bound.
    const measured = threadBytesWritten() - bytesBefore;
    this.stats.bytesWritten += measured > 0 ? measured : pages * this.#pageBytes;
  }

  get #frameBytes(): number {
    return this.#pageBytes + FRAME_HEADER_BYTES;
  }

  #state(): WalState {
    return this.#inspect.get() ?? { log: 0, checkpointed: 0 };
  }
}

/** Returns the number of bytes that this thread has passed to write(2) and similar calls; 0 if /proc is unavailable. */
function threadBytesWritten(): number {
  try {
    const text = readFileSync('/proc/thread-self/io', 'utf8');
    return Number(/^wchar: (\d+)$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Returns the number of bytes that this process can still write to the disk, or -1 if unknown. */
export function freeBytesOf(dir: string): number {
  try {
    return freeBytesIn(dir);
  } catch {
    return -1; // The next write reports the disk error.
  }
}

import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import type { PruneRequest } from './writes.js';

/** The first pruning runs early, because a cart may be switched on for less than an hour. */
const FIRST_DELAY_MS = 60_000;
const INTERVAL_MS = 3_600_000;
const SLICE_DELAY_MS = 1000;
const KEEP_ROWS = 1000;
const SLICE_ROWS = 500;

export interface PruneJob {
  /** A write operation that takes a `PruneRequest` and returns the number of removed rows. */
  operation: string;
  keepMs: number;
}

/** 30 days plus one minute, because table triggers do not allow the removal of rows within 30 days. */
const DAY_MS = 86_400_000;
const RETENTION_MS = 30 * DAY_MS + 60_000;
const YEAR_MS = 365 * DAY_MS;
export const HISTORY_RETENTION: readonly PruneJob[] = [
  { operation: 'ops.pruneCommands', keepMs: RETENTION_MS },
  // Keeps safety events regardless of their number, so that a flood of events does not displace older ones.
  { operation: 'ops.pruneSafety', keepMs: YEAR_MS },
  { operation: 'ops.pruneChanges', keepMs: 5 * YEAR_MS + 2 * DAY_MS },
];

export interface PrunerOptions {
  store: Pick<Store, 'write'>;
  clock: Clock;
  log: Log;
  jobs: readonly PruneJob[];
}

/** Removes old rows in small slices, so that a backlog does not delay other writes. */
export class Pruner {
  readonly #o: PrunerOptions;
  readonly #slices = new Map<PruneJob, Cancel>();
  #rounds: Cancel[] = [];
  #isEnded = false;

  constructor(o: PrunerOptions) {
    this.#o = o;
  }

  start(): void {
    const { clock, jobs } = this.#o;
    const round = (): void => {
      for (const job of jobs) void this.#prune(job);
    };
    this.#rounds = [clock.after(FIRST_DELAY_MS, round), clock.every(INTERVAL_MS, round)];
  }

  stop(): void {
    this.#isEnded = true;
    for (const cancel of [...this.#rounds, ...this.#slices.values()]) cancel();
  }

  async #prune(job: PruneJob): Promise<void> {
    this.#slices.get(job)?.();
    const { store, clock, log } = this.#o;
    const { operation, keepMs } = job;
    const now = Math.trunc(clock.wallTime());
    const request: PruneRequest = { before: now - keepMs, keep: KEEP_ROWS, limit: SLICE_ROWS };
    try {
      const removed = await store.write<number>(operation, request);
      if (removed < SLICE_ROWS || this.#isEnded) return;
      this.#slices.set(
        job,
        clock.after(SLICE_DELAY_MS, () => void this.#prune(job)),
      );
    } catch (error) {
      if (!this.#isEnded) log.warn('history.prune_failed', { operation, reason: messageOf(error) });
    }
  }
}

import type { Cancel, Clock, Log, Store } from '../ports.js';
import { messageOf } from '../util/errors.js';
import type { PruneRequest } from './writes.js';

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 3_600_000;
const NEXT_SLICE_AFTER_MS = 1000;
/** 30 days, and a minute more than the tables' triggers ask for. */
const KEEP_MS = 30 * 86_400_000 + 60_000;
const KEEP_ROWS = 1000;
const SLICE_ROWS = 500;
const OPERATIONS = ['ops.pruneCommands', 'ops.pruneSafety'] as const;
type Operation = (typeof OPERATIONS)[number];

/** Removes what is too old in small slices, so that a long backlog never holds up the writes of others. */
export class Pruner {
  readonly #o: { store: Store; clock: Clock; log: Log };
  readonly #slices = new Map<Operation, Cancel>();
  #rounds: Cancel[] = [];
  #isEnded = false;

  constructor(o: { store: Store; clock: Clock; log: Log }) {
    this.#o = o;
  }

  /** Begins soon, as a cart may be switched off again within the hour, and then every hour. */
  start(): void {
    const { clock } = this.#o;
    const round = (): void => {
      for (const operation of OPERATIONS) void this.#prune(operation);
    };
    this.#rounds = [clock.after(FIRST_AFTER_MS, round), clock.every(EVERY_MS, round)];
  }

  stop(): void {
    this.#isEnded = true;
    for (const cancel of [...this.#rounds, ...this.#slices.values()]) cancel();
  }

  async #prune(operation: Operation): Promise<void> {
    this.#slices.get(operation)?.();
    const { store, clock, log } = this.#o;
    const before = Math.trunc(clock.wallTime()) - KEEP_MS;
    const request: PruneRequest = { before, keep: KEEP_ROWS, limit: SLICE_ROWS };
    try {
      const removed = await store.write<number>(operation, request);
      if (removed < SLICE_ROWS || this.#isEnded) return;
      this.#slices.set(
        operation,
        clock.after(NEXT_SLICE_AFTER_MS, () => void this.#prune(operation)),
      );
    } catch (error) {
      if (!this.#isEnded) log.warn('history.prune_failed', { operation, reason: messageOf(error) });
    }
  }
}

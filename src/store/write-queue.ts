// Runs on the main thread.

import { GatewayError } from '../shared/errors.js';
import type { CommittedWrite } from '../shared/ports/store.js';
import { fromWire } from '../shared/worker.js';
import type { StoreLimits } from './limits.js';
import type { WireOperation, WriteOutcome } from './writer/protocol.js';

interface Waiting {
  name: string;
  args: unknown;
  bytes: number;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A batch's result. Listeners are notified before `settle` is called. */
export interface Settlement {
  saved: CommittedWrite[];
  /** Writes that may have been saved although the disk or the writer failed. */
  uncertain: CommittedWrite[];
  settle: () => void;
}

/** Pending writes in call order, limited in number and size. */
export class WriteQueue {
  readonly #limits: StoreLimits;
  readonly #waiting = new Map<number, Waiting>();
  #unsent: WireOperation[] = [];
  #nextId = 1;
  #bytes = 0;
  #refused = 0;

  constructor(limits: StoreLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiting.size;
  }

  get unsent(): number {
    return this.#unsent.length;
  }

  get sent(): number {
    return this.#waiting.size - this.#unsent.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of writes rejected with `STORE_BUSY`. */
  get refused(): number {
    return this.#refused;
  }

  /** Throws `STORE_BUSY` or `TOO_LARGE`. */
  add(name: string, args: unknown): Promise<unknown> {
    const bytes = sizeOf(args);
    this.#requireCapacity(name, bytes);
    const id = this.#nextId++;
    this.#unsent.push({ id, name, args });
    this.#bytes += bytes;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { name, args, bytes, resolve, reject });
    });
  }

  takeUnsent(): WireOperation[] {
    const unsent = this.#unsent;
    this.#unsent = [];
    return unsent;
  }

  answered(outcomes: readonly WriteOutcome[]): Settlement {
    const saved: CommittedWrite[] = [];
    const uncertain: CommittedWrite[] = [];
    const calls: (() => void)[] = [];
    for (const outcome of outcomes) {
      const waiting = this.#remove(outcome.id);
      if (!waiting) continue;
      const { name, args } = waiting;
      if ('error' in outcome) {
        if (outcome.error.code === 'STORE_FAILED') uncertain.push({ name, args });
        calls.push(() => waiting.reject(fromWire(outcome.error)));
      } else {
        saved.push({ name, args, result: outcome.result });
        calls.push(() => waiting.resolve(outcome.result));
      }
    }
    return { saved, uncertain, settle: () => runAll(calls) };
  }

  /** Call this after the writer has ended. Only writes that were already sent may have been saved. */
  failAll(unknownError: () => Error, unsentError: () => Error): Settlement {
    const unsent = new Set(this.takeUnsent().map(({ id }) => id));
    const uncertain: CommittedWrite[] = [];
    const calls: (() => void)[] = [];
    for (const [id, { name, args, reject }] of this.#waiting) {
      if (!unsent.has(id)) uncertain.push({ name, args });
      calls.push(() => reject(unsent.has(id) ? unsentError() : unknownError()));
    }
    this.#waiting.clear();
    this.#bytes = 0;
    return { saved: [], uncertain, settle: () => runAll(calls) };
  }

  fail(id: number, error: Error): void {
    this.#remove(id)?.reject(error);
  }

  #remove(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    this.#bytes -= waiting.bytes;
    return waiting;
  }

  #requireCapacity(name: string, bytes: number): void {
    const { queueOperations, queueBytes } = this.#limits;
    if (bytes > queueBytes) {
      const text = `the arguments of "${name}" exceed the size limit of the write queue`;
      throw new GatewayError('TOO_LARGE', text, { limit: queueBytes, unit: 'bytes' });
    }
    if (this.#waiting.size < queueOperations && this.#bytes + bytes <= queueBytes) return;
    this.#refused += 1;
    const text = `the write queue is full: ${this.#waiting.size} writes are waiting for the disk`;
    throw new GatewayError('STORE_BUSY', text, { retryAfterS: 1 });
  }
}

function runAll(calls: readonly (() => void)[]): void {
  for (const call of calls) call();
}

const MAX_DEPTH = 32;
const WORD_BYTES = 8;
const HEADER_BYTES = 16;

/** Returns a value's memory size within a factor of two. Throws beyond 32 nesting levels. */
function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return HEADER_BYTES + 2 * value.length;
  if (typeof value !== 'object' || value === null) return WORD_BYTES;
  if (ArrayBuffer.isView(value)) return HEADER_BYTES + value.byteLength;
  if (depth >= MAX_DEPTH) throw new TypeError('the arguments of a write operation are nested too deeply');
  let bytes = HEADER_BYTES;
  if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item, depth + 1);
    return bytes;
  }
  for (const item of Object.values(value)) bytes += WORD_BYTES + sizeOf(item, depth + 1);
  return bytes;
}

/** Only commits that take longer than this delay the next batch. */
const SLOW_COMMIT_MS = 4;
const DELAY_FRACTION = 1 / 4;
const MAX_DELAY_MS = 10;

/**
 * Delays the next batch after a slow commit, because callers often write again after an acknowledgement and would
 * otherwise miss the next commit.
 */
export class BatchDelay {
  readonly #onEnd: () => void;
  #expected = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Waits for `expected` writes, for up to a quarter of the commit's duration and at most 10 ms. */
  begin(expected: number, commitMs: number): void {
    this.end();
    if (commitMs < SLOW_COMMIT_MS) return;
    this.#expected = expected;
    this.#timer = setTimeout(
      () => {
        this.end();
        this.#onEnd();
      },
      Math.min(commitMs * DELAY_FRACTION, MAX_DELAY_MS),
    );
  }

  isWaiting(queued: number): boolean {
    return this.#timer !== undefined && queued < this.#expected;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

import { GatewayError } from '../../shared/errors.js';
import type { CommittedWrite } from '../../shared/ports/store.js';
import type { StoreLimits } from '../limits.js';
import { fromWire, type Outcome, type WireOperation } from './protocol.js';

interface Waiting {
  name: string;
  args: unknown;
  bytes: number;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** What one answer of the writer settles, told apart so that listeners can hear of it before the callers do. */
interface Settlement {
  saved: CommittedWrite[];
  /** Those that may have been saved: the disk failed at the end of their commit, or the writer before its answer. */
  unsure: CommittedWrite[];
  /** Resolves and rejects the promises of the callers. */
  settle: () => void;
}

/** The writes that wait: bounded in number and in bytes, in the order of the calls. */
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

  /** Those that the writer has not been sent yet. */
  get unsent(): number {
    return this.#unsent.length;
  }

  /** Those that the writer has and has not answered. */
  get sent(): number {
    return this.#waiting.size - this.#unsent.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How many were refused because too much was waiting. */
  get refused(): number {
    return this.#refused;
  }

  /** Adds a write to those that wait to be sent. Throws `STORE_BUSY` and `TOO_LARGE`. */
  add(name: string, args: unknown): Promise<unknown> {
    const bytes = sizeOf(args);
    this.#refuseWhenFull(name, bytes);
    const id = this.#nextId++;
    this.#unsent.push({ id, name, args });
    this.#bytes += bytes;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { name, args, bytes, resolve, reject });
    });
  }

  /** The writes that have not been sent yet; they count as sent from now on. */
  takeUnsent(): WireOperation[] {
    const unsent = this.#unsent;
    this.#unsent = [];
    return unsent;
  }

  /** Takes the answered writes off the queue. */
  answered(outcomes: readonly Outcome[]): Settlement {
    const saved: CommittedWrite[] = [];
    const unsure: CommittedWrite[] = [];
    const calls: (() => void)[] = [];
    for (const outcome of outcomes) {
      const waiting = this.#remove(outcome.id);
      if (!waiting) continue;
      const { name, args } = waiting;
      if ('error' in outcome) {
        if (outcome.error.code === 'STORE_FAILED') unsure.push({ name, args });
        calls.push(() => waiting.reject(fromWire(outcome.error)));
      } else {
        saved.push({ name, args, result: outcome.result });
        calls.push(() => waiting.resolve(outcome.result));
      }
    }
    return { saved, unsure, settle: () => runAll(calls) };
  }

  /** The writer is gone: those that were sent may be saved or not, those that were not are not. */
  lost(unknown: () => Error, unsent: () => Error): Settlement {
    const notSent = new Set(this.takeUnsent().map(({ id }) => id));
    const unsure: CommittedWrite[] = [];
    const calls: (() => void)[] = [];
    for (const [id, { name, args, reject }] of this.#waiting) {
      if (!notSent.has(id)) unsure.push({ name, args });
      calls.push(() => reject(notSent.has(id) ? unsent() : unknown()));
    }
    this.#waiting.clear();
    this.#bytes = 0;
    return { saved: [], unsure, settle: () => runAll(calls) };
  }

  /** Fails one write that could not be sent. */
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

  #refuseWhenFull(name: string, bytes: number): void {
    const { queueOperations, queueBytes } = this.#limits;
    if (bytes > queueBytes) {
      const text = `the arguments of "${name}" are larger than the store ever takes at once`;
      throw new GatewayError('TOO_LARGE', text, { limit: queueBytes, unit: 'bytes' });
    }
    if (this.#waiting.size < queueOperations && this.#bytes + bytes <= queueBytes) return;
    this.#refused += 1;
    const text = `${this.#waiting.size} writes are waiting for the disk already; try again in a second`;
    throw new GatewayError('STORE_BUSY', text, { retryAfterS: 1 });
  }
}

function runAll(calls: readonly (() => void)[]): void {
  for (const call of calls) call();
}

const MAX_DEPTH = 32;
const WORD_BYTES = 8;
const HEADER_BYTES = 16;

/** The approximate size of plain data in memory, within a factor of two. Throws on data nested deeper than 32. */
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

/** Commits shorter than this need no gathering. */
const SLOW_MS = 4;
const PART = 4;
const MOST_MS = 10;

/**
 * Delays the next batch briefly after a slow commit. Callers with a fresh answer often write again at once; without the
 * delay they wait for a whole further commit, and each commit holds half of the writes.
 */
export class Gathering {
  readonly #onOver: () => void;
  #wanted = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onOver called when the delay has passed. */
  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  /** Starts after a commit: waits for `wanted` writes, for at most a quarter of the duration of the commit. */
  begin(wanted: number, commitMs: number): void {
    this.end();
    if (commitMs < SLOW_MS) return;
    this.#wanted = wanted;
    this.#timer = setTimeout(
      () => {
        this.end();
        this.#onOver();
      },
      Math.min(commitMs / PART, MOST_MS),
    );
  }

  /** Whether the batch should wait for more writes than these. */
  isWaiting(queued: number): boolean {
    return this.#timer !== undefined && queued < this.#wanted;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

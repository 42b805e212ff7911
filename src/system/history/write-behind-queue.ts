import { GatewayError } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { Backoff, doubling } from '../../shared/retry.js';

interface QueueOptions<Row> {
  /** Stores the rows in order. After a failure, `send` may be called again with the same rows. */
  send(rows: Row[]): Promise<unknown>;
  /** Called for rows that the store rejects permanently. */
  onRejected(error: unknown): void;
  clock: Clock;
  /** Maximum number of queued rows. When the queue is full, the oldest rows are dropped. */
  capacity: number;
}

const SLICE_ROWS = 100;

/** A bounded, ordered queue that stores rows in the background and retries transient failures. */
export class WriteBehindQueue<Row> {
  readonly #o: QueueOptions<Row>;
  readonly #backoff = new Backoff({ delaysMs: doubling(500, 30_000), jitter: 'slight' });
  #rows: Row[] = [];
  #dropped = 0;
  #sending: Promise<void> | undefined;
  #cancelRetry: Cancel | undefined;

  constructor(o: QueueOptions<Row>) {
    this.#o = o;
  }

  /** Number of rows lost because the queue was full or the store rejected them. */
  get dropped(): number {
    return this.#dropped;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Queues a row, which is sent in a later event-loop iteration. */
  push(row: Row): void {
    this.#rows.push(row);
    this.#trim();
    if (!this.#sending && !this.#cancelRetry) this.#sending = this.#sendAll();
  }

  /** Tries once to store the remaining rows. */
  async close(): Promise<void> {
    await this.#sending;
    this.#cancelRetry?.();
    if (this.#rows.length > 0) await this.#sendAll();
    this.#cancelRetry?.();
  }

  async #sendAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#rows.length > 0) {
      const slice = this.#rows.splice(0, SLICE_ROWS);
      if (!(await this.#sendSlice(slice))) break;
    }
    this.#sending = undefined;
  }

  /** Returns false after a transient failure. */
  async #sendSlice(slice: Row[]): Promise<boolean> {
    try {
      await this.#o.send(slice);
      this.#backoff.reset();
      return true;
    } catch (error) {
      if (!isTransient(error)) {
        this.#dropped += slice.length;
        this.#o.onRejected(error);
        return true;
      }
      this.#rows.unshift(...slice);
      this.#trim();
      this.#cancelRetry = this.#o.clock.after(this.#backoff.next(), () => {
        this.#cancelRetry = undefined;
        this.#sending = this.#sendAll();
      });
      return false;
    }
  }

  #trim(): void {
    const surplus = this.#rows.length - this.#o.capacity;
    if (surplus <= 0) return;
    this.#rows.splice(0, surplus);
    this.#dropped += surplus;
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof GatewayError && ['STORE_BUSY', 'STORE_FULL', 'STORE_FAILED'].includes(error.code);
}

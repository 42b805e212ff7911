import { GatewayError } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { Backoff, doubling } from '../../shared/retry.js';

interface OutboxOptions<Row> {
  /** Stores rows, in their order; may be asked to store the same rows again. */
  send(rows: Row[]): Promise<unknown>;
  /** Rows that can never be stored: the store took offence at them, not at the moment. */
  onRefused(error: unknown): void;
  clock: Clock;
  /** Rows kept while the store cannot take them; beyond it the oldest go. */
  capacity: number;
}

const SLICE_ROWS = 100;

/** Rows on their way into the store, for callers that cannot wait for it: bounded, in order, tried again. */
export class WriteBehindQueue<Row> {
  readonly #o: OutboxOptions<Row>;
  readonly #backoff = new Backoff({ delaysMs: doubling(500, 30_000), jitter: 'slight' });
  #rows: Row[] = [];
  #dropped = 0;
  #sending: Promise<void> | undefined;
  #cancelRetry: Cancel | undefined;

  constructor(o: OutboxOptions<Row>) {
    this.#o = o;
  }

  /** Rows that were lost: too many came while the store could not take them, or it refused them. */
  get dropped(): number {
    return this.#dropped;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Takes a row; nothing else happens in this turn. */
  push(row: Row): void {
    this.#rows.push(row);
    this.#trim();
    if (!this.#sending && !this.#cancelRetry) this.#sending = this.#sendAll();
  }

  /** Tries once more to store what is left, and gives up. */
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

  /** False: not now. */
  async #sendSlice(slice: Row[]): Promise<boolean> {
    try {
      await this.#o.send(slice);
      this.#backoff.reset();
      return true;
    } catch (error) {
      if (!isPassing(error)) {
        this.#dropped += slice.length;
        this.#o.onRefused(error);
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

function isPassing(error: unknown): boolean {
  return error instanceof GatewayError && ['STORE_BUSY', 'STORE_FULL', 'STORE_FAILED'].includes(error.code);
}

import type { ServerResponse } from 'node:http';

/**
 * Maximum number of bytes written per event-loop iteration: 0.03 ms on a desktop, 0.3 ms on a Raspberry Pi. Node
 * accepts one connection per iteration, so a stop on a new connection waits for the writes of many iterations.
 */
const TURN_BYTES = 64 * 1024;
const SLICE_BYTES = 32 * 1024;

interface Job {
  res: Pick<ServerResponse, 'write' | 'end' | 'once' | 'destroyed'>;
  body: Buffer;
  sentBytes: number;
}

/** Writes long bodies in slices. All responses share the byte limit per event-loop iteration. */
export class SlicedWrites {
  readonly #nextTurn: (run: () => void) => void;
  readonly #jobs: Job[] = [];
  #leftBytes = TURN_BYTES;
  #isTurnSet = false;

  /** @param nextTurn can be replaced in tests. */
  constructor(nextTurn: (run: () => void) => void = setImmediate) {
    this.#nextTurn = nextTurn;
  }

  /** Sends a body and ends the response. The headers, including `content-length`, must already be set. */
  end(res: Job['res'], body: Buffer): void {
    this.#add({ res, body, sentBytes: 0 });
  }

  #add(job: Job): void {
    this.#jobs.push(job);
    this.#write();
  }

  #write(): void {
    while (this.#leftBytes > 0) {
      const job = this.#jobs.shift();
      if (!job) return;
      if (!job.res.destroyed) this.#writeSlice(job);
    }
    this.#setTurn();
  }

  #writeSlice(job: Job): void {
    const { res, body, sentBytes } = job;
    const slice = body.subarray(sentBytes, sentBytes + Math.min(SLICE_BYTES, this.#leftBytes));
    this.#leftBytes -= slice.length;
    this.#setTurn();
    job.sentBytes += slice.length;
    if (job.sentBytes >= body.length) res.end(slice);
    else if (res.write(slice)) this.#jobs.push(job);
    else res.once('drain', () => this.#add(job));
  }

  #setTurn(): void {
    if (this.#isTurnSet) return;
    this.#isTurnSet = true;
    this.#nextTurn(() => {
      this.#isTurnSet = false;
      this.#leftBytes = TURN_BYTES;
      this.#write();
    });
  }
}

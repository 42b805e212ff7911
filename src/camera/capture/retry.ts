import { never } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import { type RetryPolicy, retryDelayMs } from '../../shared/retry.js';
import type { FaultCode } from './classify.js';

const USUAL: RetryPolicy = { delaysMs: [500, 1000, 2000, 5000, 10_000, 30_000], jitter: 'none' };
/** Something must be plugged in, installed or allowed first: it takes people, who want to see it work without a restart. */
const PEOPLE: RetryPolicy = { delaysMs: [10_000, 30_000], jitter: 'none' };
const BUSY_MS = 2000;

/** A stream that has lived this long has shown that the camera works: what comes next is a first failure again. */
const PROVEN_MS = 30_000;

/** Counts failures and keeps the time until the next try. */
export class Retries {
  readonly #clock: Clock;
  readonly #due: () => void;
  #failures = 0;
  #isWaiting = false;
  #atMs: number | undefined;
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, due: () => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** True until the time has come, or for good, when only other settings or a person can help. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** `Clock.now()` of the next try, if there is one. */
  get atMs(): number | undefined {
    return this.#atMs;
  }

  /** `streamedMs` is for how long there were pictures before. */
  failed(code: FaultCode, streamedMs: number): void {
    this.#cancel();
    this.#failures = streamedMs >= PROVEN_MS ? 1 : this.#failures + 1;
    this.#isWaiting = true;
    const delayMs = cameraRetryMs(code, this.#failures);
    if (delayMs === undefined) return;
    this.#atMs = this.#clock.now() + delayMs;
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#stopWaiting();
      this.#due();
    });
  }

  /** The next try may be now, and its failure would be the first. */
  forget(): void {
    this.#cancel();
    this.#failures = 0;
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    this.#isWaiting = false;
    this.#atMs = undefined;
  }
}

/**
 * How long to wait after the `failures`-th failure in a row (from 1), ms; undefined when only other settings can help.
 */
function cameraRetryMs(code: FaultCode, failures: number): number | undefined {
  switch (code) {
    case 'bad-option':
      return undefined;
    case 'busy':
      return BUSY_MS;
    case 'flood':
      // The camera is well; but one that does nothing else than talk is not started without end.
      return failures === 1 ? 0 : retryDelayMs(USUAL, failures);
    case 'missing':
    case 'unsupported':
    case 'legacy':
    case 'not-installed':
    case 'not-runnable':
    case 'permission':
      return retryDelayMs(PEOPLE, failures);
    case 'stalled':
    case 'output':
    case 'not-jpeg':
    case 'bad-picture':
    case 'crashed':
      return retryDelayMs(USUAL, failures);
    default:
      return never(code);
  }
}

import { never } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { type RetryPolicy, retryDelayMs } from '../../shared/retry.js';
import type { FaultCode } from './classify-fault.js';

const DEFAULT_POLICY: RetryPolicy = { delaysMs: [500, 1000, 2000, 5000, 10_000, 30_000], jitter: 'none' };
/** For faults that a person must fix; after the repair, the next retry succeeds. */
const MANUAL_FIX_POLICY: RetryPolicy = { delaysMs: [10_000, 30_000], jitter: 'none' };
const BUSY_DELAY_MS = 2000;

/** A stream that lasts at least this long resets the count of consecutive failures. */
const STABLE_MS = 30_000;

export class RetryTimer {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #failures = 0;
  #isWaiting = false;
  #atMs: number | undefined;
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** True until the retry is due, and after a fault that only a settings change can fix. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Monotonic time of the next retry in ms; undefined if none is scheduled. */
  get atMs(): number | undefined {
    return this.#atMs;
  }

  /** @param streamedMs duration of the stream before the failure. */
  failed(code: FaultCode, streamedMs: number): void {
    this.#cancel();
    this.#failures = streamedMs >= STABLE_MS ? 1 : this.#failures + 1;
    this.#isWaiting = true;
    const delayMs = cameraRetryMs(code, this.#failures);
    if (delayMs === undefined) return;
    this.#atMs = this.#clock.now() + delayMs;
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#stopWaiting();
      this.#onDue();
    });
  }

  reset(): void {
    this.#cancel();
    this.#failures = 0;
    this.#stopWaiting();
  }

  #stopWaiting(): void {
    this.#isWaiting = false;
    this.#atMs = undefined;
  }
}

/** Returns undefined if only a settings change can fix the fault. */
function cameraRetryMs(code: FaultCode, failures: number): number | undefined {
  switch (code) {
    case 'bad-option':
      return undefined;
    case 'busy':
      return BUSY_DELAY_MS;
    case 'flood':
      // Excessive output is not a camera fault, but if it recurs, it must not cause a restart loop.
      return failures === 1 ? 0 : retryDelayMs(DEFAULT_POLICY, failures);
    case 'missing':
    case 'unsupported':
    case 'legacy':
    case 'not-installed':
    case 'not-runnable':
    case 'permission':
      return retryDelayMs(MANUAL_FIX_POLICY, failures);
    case 'stalled':
    case 'output':
    case 'not-jpeg':
    case 'bad-picture':
    case 'crashed':
      return retryDelayMs(DEFAULT_POLICY, failures);
    default:
      return never(code);
  }
}

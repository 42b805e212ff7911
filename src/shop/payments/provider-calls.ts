import { type ErrorCode, GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { PaymentErrorReason, PaymentProvider } from '../../shared/ports/payments.js';
import { shopMessage } from '../messages.js';

/** Deadline for a provider call, long enough for the adapter's first attempt and one retry. */
const DEADLINE_MS = 15_000;
const MAX_CONCURRENT = 32;

interface CallsOptions {
  provider: PaymentProvider;
  clock: Clock;
  deadlineMs?: number;
  maxConcurrent?: number;
  /** Maximum number of concurrent calls for each caller passed to `reserve`. */
  maxPerCaller?: number;
}

export interface Slot {
  /** Calls the provider once. The slot stays in use until the call settles, even after the deadline. */
  call<T>(run: (provider: PaymentProvider) => Promise<T>): Promise<T>;
  free(): void;
}

export class ProviderCalls {
  readonly #o: CallsOptions;
  readonly #byCaller = new Map<string, number>();
  #running = 0;

  constructor(options: CallsOptions) {
    this.#o = options;
  }

  /**
   * Throws `RATE` if the caller uses all of its slots or if all slots are in use, or `PROVIDER_BUSY` if there is
   * no caller.
   * @param caller the user or key whose slots are limited.
   */
  reserve(caller?: string): Slot {
    const { maxConcurrent = MAX_CONCURRENT, maxPerCaller = maxConcurrent } = this.#o;
    const own = caller === undefined ? 0 : (this.#byCaller.get(caller) ?? 0);
    if (own >= maxPerCaller) throw tooMany('RATE', 'customer-busy', maxPerCaller);
    if (this.#running >= maxConcurrent) {
      throw tooMany(caller === undefined ? 'PROVIDER_BUSY' : 'RATE', 'provider-busy', maxConcurrent);
    }
    this.#count(caller, 1);
    let isReserved = true;
    const release = (): void => {
      if (isReserved) this.#count(caller, -1);
      isReserved = false;
    };
    let isUsed = false;
    return {
      call: (run) => {
        isUsed = true;
        const result = run(this.#o.provider);
        result.then(release, release);
        return this.#withDeadline(result);
      },
      free: () => {
        if (!isUsed) release();
      },
    };
  }

  async call<T>(run: (provider: PaymentProvider) => Promise<T>): Promise<T> {
    return await this.reserve().call(run);
  }

  #count(caller: string | undefined, change: 1 | -1): void {
    this.#running += change;
    if (caller === undefined) return;
    const own = (this.#byCaller.get(caller) ?? 0) + change;
    if (own === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, own);
  }

  #withDeadline<T>(result: Promise<T>): Promise<T> {
    const { clock, deadlineMs = DEADLINE_MS } = this.#o;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(deadlineMs, () => {
        const text = `the payment provider did not respond within ${deadlineMs / 1000} s`;
        const reason: PaymentErrorReason = 'no-response';
        reject(new GatewayError('PROVIDER_UNCLEAR', text, { reason }));
      });
      result.then(resolve, (error: unknown) => reject(asUnclear(error))).finally(cancel);
    });
  }
}

function tooMany(
  code: 'PROVIDER_BUSY' | 'RATE',
  message: 'customer-busy' | 'provider-busy',
  limit: number,
): GatewayError {
  return new GatewayError(code, shopMessage(message, { limit }), {
    limit,
    unit: 'payments',
    retryAfterS: 5,
  });
}

const PROVIDER_CODES: ReadonlySet<ErrorCode> = new Set([
  'PROVIDER_AMOUNT',
  'PROVIDER_BUSY',
  'PROVIDER_FAILED',
  'PROVIDER_REFUSED',
  'PROVIDER_UNCLEAR',
  'PROVIDER_UNKNOWN',
]);

/**
 * Converts an error that has no provider code to `PROVIDER_UNCLEAR`, because it is then unknown whether the
 * payment was created.
 */
function asUnclear(error: unknown): unknown {
  if (error instanceof GatewayError && PROVIDER_CODES.has(error.code)) return error;
  const text = 'the payment provider returned an unexpected response';
  return new GatewayError('PROVIDER_UNCLEAR', text, { cause: error });
}

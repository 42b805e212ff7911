import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { PaymentProvider } from '../../shared/ports/payments.js';

/** Deadline for a provider call, long enough for the adapter's first attempt and one retry. */
const DEADLINE_MS = 15_000;
const MAX_CONCURRENT = 8;

interface CallsOptions {
  provider: PaymentProvider;
  clock: Clock;
  deadlineMs?: number;
  maxConcurrent?: number;
}

export interface Slot {
  /** Calls the provider once. The slot stays in use until the call settles, even after the deadline. */
  call<T>(run: (provider: PaymentProvider) => Promise<T>): Promise<T>;
  free(): void;
}

export class ProviderCalls {
  readonly #o: CallsOptions;
  #running = 0;

  constructor(options: CallsOptions) {
    this.#o = options;
  }

  /** Throws `PROVIDER_BUSY` if all slots are in use. */
  reserve(): Slot {
    const { maxConcurrent = MAX_CONCURRENT } = this.#o;
    if (this.#running >= maxConcurrent) {
      const text = `${maxConcurrent} payments are already waiting for the payment provider`;
      throw new GatewayError('PROVIDER_BUSY', text, { retryAfterS: 5 });
    }
    this.#running += 1;
    let isReserved = true;
    const release = (): void => {
      if (isReserved) this.#running -= 1;
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

  #withDeadline<T>(result: Promise<T>): Promise<T> {
    const { clock, deadlineMs = DEADLINE_MS } = this.#o;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(deadlineMs, () => {
        const text = `the payment provider did not respond within ${deadlineMs / 1000} s`;
        reject(new GatewayError('PROVIDER_UNCLEAR', text));
      });
      result.then(resolve, (error: unknown) => reject(asUnclear(error))).finally(cancel);
    });
  }
}

function asUnclear(error: unknown): unknown {
  if (error instanceof GatewayError && error.code.startsWith('PROVIDER_')) return error;
  const text = 'the payment provider returned an unexpected response';
  return new GatewayError('PROVIDER_UNCLEAR', text, { cause: error });
}

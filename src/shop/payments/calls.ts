import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/ports.js';
import type { PaymentProvider } from './provider.js';

/** Longer than a provider adapter takes for one attempt and its repetition; a buyer waits no longer. */
const DEADLINE_MS = 15_000;
const MOST = 8;

interface CallsOptions {
  provider: PaymentProvider;
  clock: Clock;
  deadlineMs?: number;
  /** Calls that may be under way at once. */
  most?: number;
}

/** A place among the calls under way. */
export interface Slot {
  /** Calls the provider, once; the place is free again when the call has really ended, which may be after its deadline. */
  call<T>(run: (provider: PaymentProvider) => Promise<T>): Promise<T>;
  /** Gives the place back if it was not used. */
  free(): void;
}

/** Calls to a provider that may hang: each with a deadline, and not too many at once. */
export class ProviderCalls {
  readonly #o: CallsOptions;
  #underWay = 0;

  constructor(options: CallsOptions) {
    this.#o = options;
  }

  /** Takes a place, or throws `PROVIDER_BUSY` at once. */
  reserve(): Slot {
    const { most = MOST } = this.#o;
    if (this.#underWay >= most) {
      throw new GatewayError('PROVIDER_BUSY', `${most} payments wait for the payment provider already`, {
        retryAfterS: 5,
      });
    }
    this.#underWay += 1;
    let isTaken = true;
    const leave = (): void => {
      if (isTaken) this.#underWay -= 1;
      isTaken = false;
    };
    let isUsed = false;
    return {
      call: (run) => {
        isUsed = true;
        const answer = run(this.#o.provider);
        answer.then(leave, leave);
        return this.#within(answer);
      },
      free: () => {
        if (!isUsed) leave();
      },
    };
  }

  /** Takes a place for this one call. */
  async call<T>(run: (provider: PaymentProvider) => Promise<T>): Promise<T> {
    return await this.reserve().call(run);
  }

  #within<T>(answer: Promise<T>): Promise<T> {
    const { clock, deadlineMs = DEADLINE_MS } = this.#o;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(deadlineMs, () => {
        const text = `the payment provider did not answer within ${deadlineMs / 1000} s`;
        reject(new GatewayError('PROVIDER_UNCLEAR', text));
      });
      answer.then(resolve, (error: unknown) => reject(asUnclear(error))).finally(cancel);
    });
  }
}

function asUnclear(error: unknown): unknown {
  if (error instanceof GatewayError && error.code.startsWith('PROVIDER_')) return error;
  const text = 'the payment provider gave no answer that makes sense';
  return new GatewayError('PROVIDER_UNCLEAR', text, { cause: error });
}

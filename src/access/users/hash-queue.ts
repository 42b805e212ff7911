import { FairQueue } from '../../shared/queues.js';

/** The caller that needs a hash. Fairness is by address first: names can be made up, addresses cannot. */
export interface HashCaller {
  /** Address prefix, or `by <name>` for a logged-in user. */
  address: string;
  name: string;
}

interface WaitingHash {
  run: () => void;
  reject: () => void;
}

const MAX_WAITING = 32;

/**
 * Round robin over addresses, and over the names of an address. A full queue rejects the newest entry of the address with
 * the most entries: rejecting the new one would let a single address block all others.
 */
export class HashQueue {
  readonly #byAddress = new Map<string, FairQueue<WaitingHash>>();
  #size = 0;

  /** Calls `run` later, or `reject`, possibly before returning. */
  push({ address, name }: HashCaller, waiting: WaitingHash): void {
    const own = this.#byAddress.get(address) ?? new FairQueue();
    own.push(name, waiting);
    this.#byAddress.set(address, own);
    this.#size += 1;
    if (this.#size > MAX_WAITING) this.#rejectOne();
  }

  shift(): WaitingHash | undefined {
    const [first] = this.#byAddress;
    if (!first) return undefined;
    const [address, own] = first;
    // Maps keep insertion order: delete and set moves the address to the end.
    this.#byAddress.delete(address);
    const next = own.shift();
    if (own.size > 0) this.#byAddress.set(address, own);
    this.#size -= 1;
    return next;
  }

  #rejectOne(): void {
    const [largest] = [...this.#byAddress].toSorted(([, a], [, b]) => b.size - a.size);
    if (!largest) return;
    const [address, own] = largest;
    const rejected = own.pop();
    if (own.size === 0) this.#byAddress.delete(address);
    this.#size -= 1;
    rejected?.reject();
  }
}

import { FairQueue } from '../../shared/queues.js';

/** Hashes are scheduled by address, then by username: usernames can be invented, but addresses cannot. */
export interface HashCaller {
  /** Prefix of the client's IP address, or `by <kind> <ID>` for the actor who sets another user's password. */
  address: string;
  name: string;
}

interface WaitingHash {
  run: () => void;
  reject: () => void;
}

const MAX_WAITING = 32;

/**
 * Serves addresses in round-robin order, and the usernames of each address in round-robin order. A full queue
 * rejects the newest entry of the busiest address; rejecting the incoming entry would let one address block
 * all others.
 */
export class HashQueue {
  readonly #byAddress = new Map<string, FairQueue<WaitingHash>>();
  #size = 0;

  /** Calls `run` when it is the entry's turn; calls `reject`, possibly at once, if the entry is dropped. */
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
    // Maps keep insertion order: deleting and re-adding the address moves it to the end.
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

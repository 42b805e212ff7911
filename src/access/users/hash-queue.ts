import { FairQueue } from '../../shared/queues.js';

/** Who a password is hashed for. Shares are counted by address first: an attacker makes up names, not addresses. */
export interface HashCaller {
  /** A household, or `by <name>` for a person who is logged in. */
  address: string;
  /** The account, as it was typed. */
  name: string;
}

interface WaitingHash {
  run: () => void;
  refuse: () => void;
}

/** Hashes that wait. */
const MAX_WAITING = 32;

/**
 * The addresses take turns, and in an address its names. When the queue is full, the address with the most gives up its
 * newest one: to refuse the newcomer would let one address keep all others out.
 */
export class HashQueue {
  readonly #byAddress = new Map<string, FairQueue<WaitingHash>>();
  #size = 0;

  /** Calls `run` in its turn, or `refuse` once, maybe at once. */
  push({ address, name }: HashCaller, waiting: WaitingHash): void {
    const own = this.#byAddress.get(address) ?? new FairQueue();
    own.push(name, waiting);
    this.#byAddress.set(address, own);
    this.#size += 1;
    if (this.#size > MAX_WAITING) this.#refuseOne();
  }

  shift(): WaitingHash | undefined {
    const [first] = this.#byAddress;
    if (!first) return undefined;
    const [address, own] = first;
    // A map keeps the order of insertion: set again, the address is the last.
    this.#byAddress.delete(address);
    const next = own.shift();
    if (own.size > 0) this.#byAddress.set(address, own);
    this.#size -= 1;
    return next;
  }

  #refuseOne(): void {
    const [greediest] = [...this.#byAddress].toSorted(([, a], [, b]) => b.size - a.size);
    if (!greediest) return;
    const [address, own] = greediest;
    const refused = own.pop();
    if (own.size === 0) this.#byAddress.delete(address);
    this.#size -= 1;
    refused?.refuse();
  }
}

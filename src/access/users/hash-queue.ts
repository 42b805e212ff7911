import { GatewayError } from '../../shared/errors.js';
import { FairQueue } from '../../shared/queues.js';
import { accessMessage } from '../messages.js';
import { REVOKED_PASSWORD } from '../revocations/revocations.js';
import {
  dummyHash,
  HASH_COST,
  type HashCost,
  hashPassword,
  isOutdated,
  verifyPassword,
} from './password-hash.js';

/** Hashes are scheduled by address, then by username, because a client can invent usernames but not addresses. */
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
class HashQueue {
  readonly #byAddress = new Map<string, FairQueue<WaitingHash>>();
  #size = 0;

  /** Calls `run` when it is the entry's turn; calls `reject`, possibly immediately, if the entry is dropped. */
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

const RETRY_AFTER_S = 3;

/** Runs one hash at a time, because each takes 16 MiB and a thread from the pool that file access also uses. */
export class Hasher {
  readonly #cost: HashCost;
  readonly #waiting = new HashQueue();
  #isBusy = false;
  /** The hash to check for an unknown username, so that the response takes as long as for a known username. */
  readonly #dummy: string;
  readonly stats = { runs: 0, running: 0, maxRunning: 0 };

  constructor(cost: HashCost = HASH_COST) {
    this.#cost = cost;
    this.#dummy = dummyHash(cost);
  }

  /** Rejects with `RATE` if the queue is full. */
  hash(password: string, caller: HashCaller): Promise<string> {
    return this.#inTurn(caller, () => hashPassword(password, this.#cost));
  }

  /**
   * `ok` is false, after the same amount of work, if the hash is missing or revoked. `renewed` is a new hash
   * if the password is correct but the hash's parameters are outdated.
   */
  verify(
    password: string,
    phc: string | undefined,
    caller: HashCaller,
  ): Promise<{ ok: boolean; renewed: string | null }> {
    return this.#inTurn(caller, async () => {
      const known = phc === REVOKED_PASSWORD ? undefined : phc;
      const isCorrect = await verifyPassword(password, known ?? this.#dummy);
      const ok = isCorrect && known !== undefined;
      const renewed = ok && isOutdated(known, this.#cost) ? await hashPassword(password, this.#cost) : null;
      return { ok, renewed };
    });
  }

  async #inTurn<T>(caller: HashCaller, work: () => Promise<T>): Promise<T> {
    await this.#turn(caller);
    const { stats } = this;
    stats.runs += 1;
    stats.running += 1;
    stats.maxRunning = Math.max(stats.maxRunning, stats.running);
    try {
      return await work();
    } finally {
      stats.running -= 1;
      const next = this.#waiting.shift();
      if (next) next.run();
      else this.#isBusy = false;
    }
  }

  async #turn(caller: HashCaller): Promise<void> {
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    await new Promise<void>((resolve, reject) =>
      this.#waiting.push(caller, { run: resolve, reject: () => reject(queueFull()) }),
    );
  }
}

function queueFull(): GatewayError {
  return new GatewayError('RATE', accessMessage('login-queue-full'), {
    hint: accessMessage('try-soon'),
    retryAfterS: RETRY_AFTER_S,
  });
}

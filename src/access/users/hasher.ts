import { GatewayError } from '../../shared/errors.js';
import { accessMessage } from '../messages.js';
import { REVOKED_PASSWORD } from '../revocations/revocations.js';
import { type HashCaller, HashQueue } from './hash-queue.js';
import {
  HASH_COST,
  type HashCost,
  hashPassword,
  isOutdated,
  nobodysHash,
  verifyPassword,
} from './password.js';

const RETRY_AFTER_S = 3;

/** Passwords are hashed one at a time: each takes 16 MiB, and one of the few threads that file access needs as well. */
export class Hasher {
  readonly #cost: HashCost;
  readonly #waiting = new HashQueue();
  #isBusy = false;
  /** What names without a user are checked against: with the cost of today, so that they take the time of a known one. */
  readonly #dummy: string;
  /** How many hashes ran since the start, and how many ran at once at most: for health and tests. */
  readonly stats = { runs: 0, atOnce: 0, most: 0 };

  constructor(cost: HashCost = HASH_COST) {
    this.#cost = cost;
    this.#dummy = nobodysHash(cost);
  }

  /** Rejects with `RATE` while too many wait. */
  hash(password: string, caller: HashCaller): Promise<string> {
    return this.#inTurn(caller, () => hashPassword(password, this.#cost));
  }

  /**
   * Whether the password belongs to the hash; without a hash or with a revoked one never, after the same work. `renewed`: the right password
   * with the cost of today, when the hash has another. Rejects with `RATE` while too many wait.
   */
  verify(
    password: string,
    phc: string | undefined,
    caller: HashCaller,
  ): Promise<{ ok: boolean; renewed: string | null }> {
    return this.#inTurn(caller, async () => {
      const known = phc === REVOKED_PASSWORD ? undefined : phc;
      const isRight = await verifyPassword(password, known ?? this.#dummy);
      const ok = isRight && known !== undefined;
      const renewed = ok && isOutdated(known, this.#cost) ? await hashPassword(password, this.#cost) : null;
      return { ok, renewed };
    });
  }

  async #inTurn<T>(caller: HashCaller, work: () => Promise<T>): Promise<T> {
    await this.#turn(caller);
    const { stats } = this;
    stats.runs += 1;
    stats.atOnce += 1;
    stats.most = Math.max(stats.most, stats.atOnce);
    try {
      return await work();
    } finally {
      stats.atOnce -= 1;
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
      this.#waiting.push(caller, { run: resolve, refuse: () => reject(tooMany()) }),
    );
  }
}

function tooMany(): GatewayError {
  return new GatewayError('RATE', accessMessage('login-queue-full'), {
    hint: 'Try again in a few seconds.',
    retryAfterS: RETRY_AFTER_S,
  });
}

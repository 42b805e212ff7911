import { randomBytes } from 'node:crypto';
import type { Clock } from '../../shared/ports/clock.js';
import type { Account } from '../reads.js';

/** Validity of a pending login, long enough to read a code from a phone or to find the recovery codes. */
const VALID_MS = 5 * 60_000;
const MAX_OF_USER = 5;

export interface PendingLogin {
  account: Account;
  /** The password hashed with the current parameters; null if the stored hash already uses them. */
  renewedPhc: string | null;
}

/** Browser logins that have passed only the password step and grant no access; kept in memory. */
export class PendingLogins {
  readonly #clock: Clock;
  readonly #pending = new Map<string, PendingLogin & { endsAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns a token that is valid for 5 minutes. A user's sixth token replaces the user's oldest token. */
  add(login: PendingLogin): string {
    const token = randomBytes(32).toString('base64url');
    this.#pending.set(token, { ...login, endsAt: this.#clock.now() + VALID_MS });
    const ofUser = [...this.#pending].filter(([, { account }]) => account.id === login.account.id);
    for (const [old] of ofUser.slice(0, -MAX_OF_USER)) this.#pending.delete(old);
    return token;
  }

  find(token: string): PendingLogin | undefined {
    const found = this.#pending.get(token);
    if (!found || this.#clock.now() < found.endsAt) return found;
    this.#pending.delete(token);
    return undefined;
  }

  remove(token: string): void {
    this.#pending.delete(token);
  }
}

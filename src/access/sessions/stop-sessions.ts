import { timingSafeEqual } from 'node:crypto';
import type { Principal, SessionToken } from '../../http/guard/authenticator.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { AccessReads, Account } from '../reads.js';
import type { Factor } from '../second-factor/writes.js';
import { sha256 } from '../secrets.js';

type UserPrincipal = Extract<Principal, { kind: 'user' }>;

const VALID_MS = 8 * 3_600_000;
const MAX_OF_USER = 50;

interface StopSession {
  tokenHash: Buffer;
  userId: number;
  /** The user's password hash at login; the session ends when the hash changes. */
  phc: string;
  endsAtMs: number;
}

/**
 * Sessions of users who log in while the database cannot be written to. These sessions are kept only in memory and
 * permit only reading and stopping. Used second-factor codes are also kept only in memory.
 */
export class StopSessions {
  readonly #reads: AccessReads;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, StopSession>();
  readonly #lastSteps = new Map<number, number>();
  readonly #usedCodes = new Set<string>();

  constructor({ reads, clock }: { reads: AccessReads; clock: Clock }) {
    this.#reads = reads;
    this.#clock = clock;
  }

  /** Returns false if the second factor's code has been used since the gateway started. */
  open(token: SessionToken, account: Account, factor: Factor | null): boolean {
    if (!this.#consume(account.id, factor)) return false;
    const ofUser = [...this.#sessions].filter(([, { userId }]) => userId === account.id);
    for (const [id] of ofUser.slice(0, -MAX_OF_USER + 1)) this.#sessions.delete(id);
    this.#sessions.set(token.id, {
      tokenHash: sha256(token.secret),
      userId: account.id,
      phc: account.phc,
      endsAtMs: this.#clock.now() + VALID_MS,
    });
    return true;
  }

  find(token: SessionToken): UserPrincipal | undefined {
    const session = this.#sessions.get(token.id);
    if (!session || !timingSafeEqual(session.tokenHash, sha256(token.secret))) return undefined;
    return this.#principalOf(token.id, session);
  }

  isValid({ sessionId, role }: UserPrincipal): boolean {
    const session = this.#sessions.get(sessionId);
    return session !== undefined && this.#principalOf(sessionId, session)?.role === role;
  }

  /** Returns false if no session in memory has this token. */
  end(token: SessionToken): boolean {
    return this.find(token) !== undefined && this.#sessions.delete(token.id);
  }

  endAll(userId: number): void {
    for (const [id, session] of this.#sessions) if (session.userId === userId) this.#sessions.delete(id);
  }

  #principalOf(sessionId: string, { userId, phc, endsAtMs }: StopSession): UserPrincipal | undefined {
    const account = this.#reads.account(userId);
    const isValid = account?.phc === phc && account.disabledAt === null && this.#clock.now() < endsAtMs;
    if (!isValid) {
      this.#sessions.delete(sessionId);
      return undefined;
    }
    const { username, role } = account;
    return { kind: 'user', userId, username, role, sessionId, stopsOnly: true };
  }

  #consume(userId: number, factor: Factor | null): boolean {
    if (factor === null) return true;
    if (factor.kind === 'totp') {
      if (factor.step <= (this.#lastSteps.get(userId) ?? 0)) return false;
      this.#lastSteps.set(userId, factor.step);
      return true;
    }
    const code = `${userId} ${Buffer.from(factor.codeHash).toString('base64')}`;
    const isNew = !this.#usedCodes.has(code);
    this.#usedCodes.add(code);
    return isNew;
  }
}

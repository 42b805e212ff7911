import { timingSafeEqual } from 'node:crypto';
import { parseToken, type SessionToken, type UserPrincipal } from '../../http/guard/authenticator.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { accessMessage } from '../messages.js';
import type { AccessReads, Account, SessionRow } from '../reads.js';
import type { OwnSession } from '../schema.js';
import type { Factor } from '../second-factor/writes.js';
import { formatToken, newToken, publicIdOf, sha256 } from '../secrets.js';
import { SessionClock } from './clock.js';
import { deviceOf } from './device.js';
import { StopSessions } from './stop-sessions.js';
import type { CloseSessions, OpenSession } from './writes.js';

/** A session ends after this time even if it is in use. */
export const MAX_SESSION_MS = 7 * 86_400_000;
/** A session ends after this time without a request. */
const IDLE_MS = 8 * 3_600_000;
/** Minimum interval between writes of `lastSeenAt`. */
const TOUCH_INTERVAL_MS = 60_000;
const PURGE_INTERVAL_MS = 3_600_000;
/**
 * How long an expired session's row is kept. Must exceed the time for which a stop token outlives an expired
 * session, because the token is valid only while the row exists.
 */
const KEEP_EXPIRED_MS = 3_600_000;

interface SessionsDeps {
  store: Store;
  reads: AccessReads;
  clock: Clock;
  log: Log;
}

export interface ClientInfo {
  ip: string;
  userAgent: string;
  cookies?: readonly string[];
}

interface Proof {
  renewedPhc: string | null;
  factor: Factor | null;
}

/**
 * Sessions are not cached in memory, so a session that has ended is rejected from the next request on. If a
 * session cannot be saved, it is kept in memory and permits only reading and stopping.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #touching = new Set<string>();
  readonly #time: SessionClock;
  readonly #inMemory: StopSessions;
  #cancels: Cancel[] = [];

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#inMemory = new StopSessions(deps);
    this.#time = new SessionClock(deps.clock, deps.reads.sessionClock());
  }

  start(): void {
    const { clock, store, log } = this.#deps;
    const purge = (): void => {
      store
        .write('access.purgeSessions', { now: this.#time.now() - KEEP_EXPIRED_MS })
        .catch((error: unknown) => log.warn('access.purge_failed', { reason: messageOf(error) }));
    };
    const mark = (): void => {
      if (this.#time.isStepped) void this.#mark();
    };
    if (!this.#deps.reads.sessionClock()) void this.#mark();
    this.#cancels = [clock.every(PURGE_INTERVAL_MS, purge), clock.every(TOUCH_INTERVAL_MS, mark)];
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
  }

  /** Replaces the client's previous session. Returns undefined if the account changed after the check. */
  async open(
    account: Account,
    client: ClientInfo,
    proof: Proof,
  ): Promise<{ id: string; cookie: string; stopsOnly: boolean } | undefined> {
    const token = newToken();
    // An expired session is also replaced, because this revokes its stop token.
    const own = client.cookies?.filter((cookie) => this.#rowOf(parseToken(cookie))) ?? [];
    const old = parseToken(own.find((cookie) => this.find(cookie)) ?? own[0] ?? '');
    const now = this.#time.now();
    const request: OpenSession = {
      id: token.id,
      tokenHash: sha256(token.secret),
      userId: account.id,
      passwordPhc: account.phc,
      ...proof,
      replaces: old ? { id: old.id, tokenHash: sha256(old.secret) } : null,
      now,
      expiresAt: now + MAX_SESSION_MS,
      idleExpiresAt: now + IDLE_MS,
      ip: client.ip.slice(0, 64),
      userAgent: client.userAgent.slice(0, 200),
      mark: this.#time.mark(),
    };
    const opened = { id: token.id, cookie: formatToken(token) };
    try {
      const isOpen = await this.#deps.store.write<boolean>('access.openSession', request);
      return isOpen ? { ...opened, stopsOnly: false } : undefined;
    } catch (error) {
      if (!isUnwritable(error)) throw error;
      if (!this.#inMemory.open(token, account, proof.factor)) return undefined;
      const { id: userId, username } = account;
      this.#deps.log.warn('access.session_kept_in_memory', { userId, username, reason: messageOf(error) });
      return { ...opened, stopsOnly: true };
    }
  }

  find(cookie: string): UserPrincipal | undefined {
    const token = parseToken(cookie);
    const row = this.#rowOf(token);
    if (token && !row) return this.#inMemory.find(token);
    if (!token || !row) return undefined;
    const now = this.#time.now();
    if (isExpired(row, now)) return undefined;
    if (now - row.lastSeenAt > TOUCH_INTERVAL_MS) this.#touch(token.id, now);
    const { userId, username, role } = row;
    return { kind: 'user', userId, username, role, sessionId: token.id };
  }

  findFirst(cookies: readonly string[]): UserPrincipal | undefined {
    for (const cookie of cookies) {
      const user = this.find(cookie);
      if (user) return user;
    }
    return undefined;
  }

  /** Returns true if the session is valid and the role is unchanged. Does not extend the session. */
  isValid(user: UserPrincipal): boolean {
    return user.stopsOnly ? this.#inMemory.isValid(user) : this.#validRow(user) !== undefined;
  }

  /** Like `isValid`, but restarts the session's idle timeout. */
  keepAlive(user: UserPrincipal): boolean {
    if (user.stopsOnly) return this.#inMemory.isValid(user);
    const row = this.#validRow(user);
    const now = this.#time.now();
    if (row && now - row.lastSeenAt > TOUCH_INTERVAL_MS) this.#touch(user.sessionId, now);
    return row !== undefined;
  }

  async end(cookie: string): Promise<void> {
    const token = parseToken(cookie);
    if (!token || this.#inMemory.end(token)) return;
    const session = { id: token.id, tokenHash: sha256(token.secret) };
    await this.#deps.store.write('access.closeSession', session);
  }

  endAll(userId: number): Promise<number> {
    this.#inMemory.endAll(userId);
    return this.#close({ userId });
  }

  /** Returns the current session first, then the others, most recently used first. */
  list({ userId, sessionId }: UserPrincipal): OwnSession[] {
    const sessions = this.#handles(userId).map(({ id, userAgent, createdAt, lastSeenAt }) => ({
      id: publicIdOf(id),
      ...deviceOf(userAgent),
      createdAt: this.#time.wallTimeOf(createdAt),
      lastUsedAt: this.#time.wallTimeOf(lastSeenAt),
      current: id === sessionId,
    }));
    return sessions.sort((a, b) => Number(b.current) - Number(a.current));
  }

  /**
   * Throws `NOT_FOUND`.
   * @param id as returned by `list`.
   */
  async revoke({ userId, username }: UserPrincipal, id: string): Promise<void> {
    const session = this.#handles(userId).find((row) => publicIdOf(row.id) === id);
    const ended = session ? await this.#close({ userId, only: session.id }) : 0;
    if (ended === 0) throw new GatewayError('NOT_FOUND', accessMessage('session-ended'));
    this.#deps.log.info('access.session_revoked', { userId, username });
  }

  async revokeOthers({ userId, username, sessionId }: UserPrincipal): Promise<number> {
    const ended = await this.#close({ userId, except: sessionId });
    this.#deps.log.info('access.sessions_revoked', { userId, username, ended });
    return ended;
  }

  /** Returns the token's session if the secret is correct, even if the session has expired. */
  #rowOf(token: SessionToken | undefined): SessionRow | undefined {
    const row = token && this.#deps.reads.session(token.id);
    return row && timingSafeEqual(row.tokenHash, sha256(token.secret)) ? row : undefined;
  }

  #validRow({ sessionId, role }: UserPrincipal): SessionRow | undefined {
    const row = this.#deps.reads.session(sessionId);
    return row && row.role === role && !isExpired(row, this.#time.now()) ? row : undefined;
  }

  #mark(): Promise<void> {
    const { store, log } = this.#deps;
    return store
      .write<void>('access.markSessionClock', this.#time.mark())
      .catch((error: unknown) => log.debug('access.clock_mark_failed', { reason: messageOf(error) }));
  }

  #close(sessions: CloseSessions): Promise<number> {
    return this.#deps.store.write<number>('access.closeSessions', sessions);
  }

  #handles(userId: number) {
    const now = this.#time.now();
    return this.#deps.reads.sessionsOf(userId).filter((row) => !isExpired(row, now));
  }

  #touch(id: string, now: number): void {
    if (this.#touching.has(id)) return;
    this.#touching.add(id);
    const { store, log } = this.#deps;
    store
      .write('access.touchSession', { id, now, idleExpiresAt: now + IDLE_MS, mark: this.#time.mark() })
      .catch((error: unknown) => log.debug('access.touch_failed', { reason: messageOf(error) }))
      .finally(() => this.#touching.delete(id));
  }
}

/** Returns true if the disk or the writer failed, but not if too many writes are waiting. */
function isUnwritable(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'STORE_FULL' || error.code === 'STORE_FAILED');
}

function isExpired(
  { expiresAt, idleExpiresAt }: Pick<SessionRow, 'expiresAt' | 'idleExpiresAt'>,
  now: number,
): boolean {
  return now >= expiresAt || now >= idleExpiresAt;
}

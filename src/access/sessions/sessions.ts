import { timingSafeEqual } from 'node:crypto';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import type { AccessReads, Account, SessionRow } from '../reads.js';
import type { OwnSession, Principal } from '../schema.js';
import type { Factor } from '../second-factor/writes.js';
import { formatToken, newToken, parseToken, publicIdOf, type SessionToken, sha256 } from '../secrets.js';
import { SessionClock } from './clock.js';
import { deviceOf } from './device.js';
import type { CloseSessions, OpenSession } from './writes.js';

const IDLE_MS = 8 * 3_600_000;
export const ABSOLUTE_MS = 7 * 86_400_000;
/** A session is marked as seen at most this often: reading one writes nothing. */
const SEEN_EVERY_MS = 60_000;
const PURGE_EVERY_MS = 3_600_000;
/** Longer than a stop token outlives its session: by the row it is known that the session has expired, and was not ended. */
const KEEP_EXPIRED_MS = 3_600_000;

interface SessionsDeps {
  store: Store;
  reads: AccessReads;
  clock: Clock;
  log: Log;
}

/** Where a session comes from, for the list of its owner. */
export interface ClientInfo {
  ip: string;
  userAgent: string;
  /** The cookies of earlier sessions that came along. */
  cookies?: readonly string[];
}

/** What a login was checked by. */
interface Proof {
  /** The password with today's hash parameters, when they have changed. */
  renewedPhc: string | null;
  factor: Factor | null;
}

export type UserPrincipal = Extract<Principal, { kind: 'user' }>;

/**
 * The sessions, in the database alone: without a copy in memory, what is ended is dead for the very next request.
 * A row is only ever added by a login.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #touching = new Set<string>();
  readonly #time: SessionClock;
  #cancels: Cancel[] = [];

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
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
    this.#cancels = [clock.every(PURGE_EVERY_MS, purge), clock.every(SEEN_EVERY_MS, mark)];
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
  }

  /** A new session in place of the one that the client came with. Undefined when the account changed meanwhile. */
  async open(
    account: Account,
    client: ClientInfo,
    proof: Proof,
  ): Promise<{ id: string; cookie: string } | undefined> {
    const token = newToken();
    // A session that has expired is replaced as well: its stop tokens end with it.
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
      expiresAt: now + ABSOLUTE_MS,
      idleExpiresAt: now + IDLE_MS,
      ip: client.ip.slice(0, 64),
      userAgent: client.userAgent.slice(0, 200),
      mark: this.#time.mark(),
    };
    const isOpen = await this.#deps.store.write<boolean>('access.openSession', request);
    return isOpen ? { id: token.id, cookie: formatToken(token) } : undefined;
  }

  /** Whose cookie it is; undefined for one that is forged, ended or over. */
  find(cookie: string): UserPrincipal | undefined {
    const token = parseToken(cookie);
    const row = this.#rowOf(token);
    if (!token || !row) return undefined;
    const now = this.#time.now();
    if (isOver(row, now)) return undefined;
    if (now - row.lastSeenAt > SEEN_EVERY_MS) this.#touch(token.id, now);
    const { userId, username, role } = row;
    return { kind: 'user', userId, username, role, sessionId: token.id };
  }

  /** Whose cookie the first good one is. */
  findFirst(cookies: readonly string[]): UserPrincipal | undefined {
    for (const cookie of cookies) {
      const user = this.find(cookie);
      if (user) return user;
    }
    return undefined;
  }

  /** Whether somebody who was found before would be found again, with the same rights. It is not marked as seen. */
  isGood(user: UserPrincipal): boolean {
    return this.#goodRow(user) !== undefined;
  }

  /** As `isGood`, and marks it as seen: a page that is open is in use. */
  watches(user: UserPrincipal): boolean {
    const row = this.#goodRow(user);
    const now = this.#time.now();
    if (row && now - row.lastSeenAt > SEEN_EVERY_MS) this.#touch(user.sessionId, now);
    return row !== undefined;
  }

  /** Ends the session of a cookie. Resolves when it is dead. */
  async end(cookie: string): Promise<void> {
    const token = parseToken(cookie);
    if (!token) return;
    const session = { id: token.id, tokenHash: sha256(token.secret) };
    await this.#deps.store.write('access.closeSession', session);
  }

  /** Ends every session of a user and answers how many there were. */
  endAll(userId: number): Promise<number> {
    return this.#close({ userId });
  }

  /** The user's sessions that have not expired: the one that asks, then the others by their last use. */
  list({ userId, sessionId }: UserPrincipal): OwnSession[] {
    const sessions = this.#handles(userId).map(({ id, userAgent, createdAt, lastSeenAt }) => ({
      ...{ id: publicIdOf(id), ...deviceOf(userAgent), createdAt: this.#time.wallTimeOf(createdAt) },
      ...{ lastUsedAt: this.#time.wallTimeOf(lastSeenAt), current: id === sessionId },
    }));
    return sessions.sort((a, b) => Number(b.current) - Number(a.current));
  }

  /**
   * Ends one of the user's own sessions, at once.
   * @param id as in `list`. Throws `NOT_FOUND` when none of the user's sessions has it.
   */
  async revoke({ userId }: UserPrincipal, id: string): Promise<void> {
    const session = this.#handles(userId).find((row) => publicIdOf(row.id) === id);
    const ended = session ? await this.#close({ userId, only: session.id }) : 0;
    if (ended === 0) throw new GatewayError('NOT_FOUND', 'this session has ended already');
    this.#deps.log.info('access.session_revoked', { userId });
  }

  /** Ends every session of the user but the one that asks. Returns how many ended. */
  async revokeOthers({ userId, sessionId }: UserPrincipal): Promise<number> {
    const ended = await this.#close({ userId, except: sessionId });
    this.#deps.log.info('access.sessions_revoked', { userId, ended });
    return ended;
  }

  /** Of a session with this secret, also of one that has expired. */
  #rowOf(token: SessionToken | undefined): SessionRow | undefined {
    const row = token && this.#deps.reads.session(token.id);
    return row && timingSafeEqual(row.tokenHash, sha256(token.secret)) ? row : undefined;
  }

  #goodRow({ sessionId, role }: UserPrincipal): SessionRow | undefined {
    const row = this.#deps.reads.session(sessionId);
    return row && row.role === role && !isOver(row, this.#time.now()) ? row : undefined;
  }

  #mark(): Promise<void> {
    const { store, log } = this.#deps;
    return store
      .write<void>('access.markSessionClock', this.#time.mark())
      .catch((error: unknown) => log.debug('access.mark_failed', { reason: messageOf(error) }));
  }

  #close(sessions: CloseSessions): Promise<number> {
    return this.#deps.store.write<number>('access.closeSessions', sessions);
  }

  #handles(userId: number) {
    const now = this.#time.now();
    return this.#deps.reads.sessionsOf(userId).filter((row) => !isOver(row, now));
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

function isOver(
  { expiresAt, idleExpiresAt }: Pick<SessionRow, 'expiresAt' | 'idleExpiresAt'>,
  now: number,
): boolean {
  return now >= expiresAt || now >= idleExpiresAt;
}

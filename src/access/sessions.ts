import { timingSafeEqual } from 'node:crypto';
import type { Cancel, Clock, Log, Store } from '../ports.js';
import { messageOf } from '../util/errors.js';
import type { AccessReads, Account, SessionRow } from './reads.js';
import type { Principal } from './schema.js';
import { formatToken, newToken, parseToken, sha256 } from './secrets.js';
import type { OpenSession } from './session-writes.js';

export const IDLE_MS = 8 * 3_600_000;
export const ABSOLUTE_MS = 7 * 86_400_000;
/** A session is marked as seen at most this often: reading one writes nothing. */
const SEEN_EVERY_MS = 60_000;
const PURGE_EVERY_MS = 3_600_000;

export interface SessionsDeps {
  store: Store;
  reads: AccessReads;
  clock: Clock;
  log: Log;
}

/** Where a session comes from, for the list of its owner. */
export interface Visitor {
  ip: string;
  userAgent: string;
  /** The cookie that came along, if any. */
  cookie?: string | undefined;
}

export type UserPrincipal = Extract<Principal, { kind: 'user' }>;

/**
 * The sessions, in the database alone: without a copy in memory, what is ended is dead for the very next request.
 * A row is only ever added by a login.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #touching = new Set<string>();
  #cancel: Cancel = () => undefined;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, store, log } = this.#deps;
    const purge = (): void => {
      store
        .write('access.purgeSessions', { now: clock.wallTime() })
        .catch((error: unknown) => log.warn('access.purge_failed', { reason: messageOf(error) }));
    };
    this.#cancel = clock.every(PURGE_EVERY_MS, purge);
  }

  close(): void {
    this.#cancel();
  }

  /** A new session in place of the one that the visitor came with. Undefined when the account changed meanwhile. */
  async open(
    account: Account,
    visitor: Visitor,
    renewedPhc: string | null,
  ): Promise<{ id: string; cookie: string } | undefined> {
    const token = newToken();
    const old = visitor.cookie === undefined ? undefined : parseToken(visitor.cookie);
    const now = this.#deps.clock.wallTime();
    const request: OpenSession = {
      id: token.id,
      tokenHash: sha256(token.secret),
      userId: account.id,
      passwordPhc: account.phc,
      renewedPhc,
      replaces: old ? { id: old.id, tokenHash: sha256(old.secret) } : null,
      now,
      expiresAt: now + ABSOLUTE_MS,
      idleExpiresAt: now + IDLE_MS,
      ip: visitor.ip.slice(0, 64),
      userAgent: visitor.userAgent.slice(0, 200),
    };
    const isOpen = await this.#deps.store.write<boolean>('access.openSession', request);
    return isOpen ? { id: token.id, cookie: formatToken(token) } : undefined;
  }

  /** Whose cookie it is; undefined for one that is forged, ended or over. */
  find(cookie: string): UserPrincipal | undefined {
    const token = parseToken(cookie);
    const row = token && this.#deps.reads.session(token.id);
    if (!row || !timingSafeEqual(row.tokenHash, sha256(token.secret))) return undefined;
    const now = this.#deps.clock.wallTime();
    if (isOver(row, now)) return undefined;
    if (now - row.lastSeenAt > SEEN_EVERY_MS) this.#touch(token.id, now);
    const { userId, username, role } = row;
    return { kind: 'user', userId, username, role, sessionId: token.id };
  }

  /** Whether somebody who was found before would be found again, with the same rights. It is not marked as seen. */
  isGood({ sessionId, role }: UserPrincipal): boolean {
    const row = this.#deps.reads.session(sessionId);
    return row !== undefined && row.role === role && !isOver(row, this.#deps.clock.wallTime());
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
    return this.#deps.store.write<number>('access.closeSessions', { userId });
  }

  #touch(id: string, now: number): void {
    if (this.#touching.has(id)) return;
    this.#touching.add(id);
    const { store, log } = this.#deps;
    store
      .write('access.touchSession', { id, now, idleExpiresAt: now + IDLE_MS })
      .catch((error: unknown) => log.debug('access.touch_failed', { reason: messageOf(error) }))
      .finally(() => this.#touching.delete(id));
  }
}

function isOver({ expiresAt, idleExpiresAt }: SessionRow, now: number): boolean {
  return now >= expiresAt || now >= idleExpiresAt;
}

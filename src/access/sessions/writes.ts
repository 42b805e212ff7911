import type { WriteDatabase } from '../../shared/ports/database.js';
import { recordSessions } from '../revocations/revocations.js';
import { type Factor, useFactor } from '../second-factor/writes.js';
import type { ClockMark } from './clock.js';

/** A user keeps this many sessions; the one that was not seen for longest gives way. */
const MAX_SESSIONS = 50;

export interface OpenSession {
  id: string;
  tokenHash: Uint8Array;
  userId: number;
  /** The hash that the password was checked against. */
  passwordPhc: string;
  /** The same password with today's parameters. */
  renewedPhc: string | null;
  /** Null only for a user without a second factor. */
  factor: Factor | null;
  /** The session that the browser came with. Its secret is asked for as well: a handle alone ends nothing. */
  replaces: { id: string; tokenHash: Uint8Array } | null;
  /** This and the next two by the clock of sessions. */
  now: number;
  expiresAt: number;
  idleExpiresAt: number;
  ip: string;
  userAgent: string;
  mark: ClockMark;
}

/** False when the user, the password or the second factor was changed, or the code used, while they were being checked. */
function open(
  db: WriteDatabase,
  { replaces, renewedPhc, passwordPhc, factor, mark, ...session }: OpenSession,
): boolean {
  const { userId } = session;
  const isGood = db
    .prepare('SELECT 1 FROM users WHERE id = @userId AND password_phc = @passwordPhc AND disabled_at IS NULL')
    .get({ userId, passwordPhc });
  if (!isGood || !useFactor(db, userId, factor)) return false;
  if (renewedPhc !== null) {
    db.prepare('UPDATE users SET password_phc = @renewedPhc, updated_at = @now WHERE id = @userId').run({
      userId,
      renewedPhc,
      now: mark.wallMs,
    });
  }
  markClock(db, mark);
  if (replaces) close(db, replaces);
  db.prepare(`
    INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at, idle_expires_at, ip, user_agent)
    VALUES (@id, @tokenHash, @userId, @now, @now, @expiresAt, @idleExpiresAt, @ip, @userAgent)`).run(session);
  const { changes } = db
    .prepare(`
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE user_id = @userId ORDER BY last_seen_at DESC, created_at DESC
        LIMIT -1 OFFSET ${MAX_SESSIONS})`)
    .run({ userId });
  recordSessions(db, changes);
  return true;
}

/** Changes a row that is there and nothing else: a session that was ended stays dead, whatever was still in flight. */
function touch(
  db: WriteDatabase,
  { mark, ...seen }: { id: string; now: number; idleExpiresAt: number; mark: ClockMark },
): void {
  markClock(db, mark);
  db.prepare(`
    UPDATE sessions SET last_seen_at = @now, idle_expires_at = min(@idleExpiresAt, expires_at)
    WHERE id = @id AND last_seen_at < @now`).run(seen);
}

function close(db: WriteDatabase, { id, tokenHash }: { id: string; tokenHash: Uint8Array }): void {
  const sql = 'DELETE FROM sessions WHERE id = @id AND token_hash = @tokenHash';
  recordSessions(db, db.prepare(sql).run({ id, tokenHash }).changes);
}

export interface CloseSessions {
  userId: number;
  /** The one session that ends; left out: all of them. */
  only?: string;
  /** The one session that stays. */
  except?: string;
}

/** Ends sessions of one user. Returns how many ended. */
function closeAll(db: WriteDatabase, { userId, only, except }: CloseSessions): number {
  const { changes } = db
    .prepare(`
      DELETE FROM sessions
      WHERE user_id = @userId AND (@only IS NULL OR id = @only) AND (@except IS NULL OR id <> @except)`)
    .run({ userId, only: only ?? null, except: except ?? null });
  recordSessions(db, changes);
  return changes;
}

function markClock(db: WriteDatabase, { sessionMs, wallMs }: ClockMark): void {
  db.prepare(
    'INSERT OR REPLACE INTO session_clock (id, session_ms, wall_ms) VALUES (1, @sessionMs, @wallMs)',
  ).run({
    sessionMs,
    wallMs,
  });
}

/** Answers how many were over. */
function purge(db: WriteDatabase, { now }: { now: number }): number {
  const old = db.prepare('DELETE FROM sessions WHERE expires_at <= @now').run({ now }).changes;
  return old + db.prepare('DELETE FROM sessions WHERE idle_expires_at <= @now').run({ now }).changes;
}

/** What the writer thread may do to sessions. */
export const sessionWrites = {
  'access.openSession': open,
  'access.touchSession': touch,
  'access.markSessionClock': markClock,
  'access.closeSession': close,
  'access.closeSessions': closeAll,
  'access.purgeSessions': purge,
};

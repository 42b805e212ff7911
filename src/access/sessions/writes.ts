import type { WriteDatabase } from '../../shared/ports/database.js';
import { recordSessions } from '../revocations/revocations.js';
import { consumeFactor, type Factor } from '../second-factor/writes.js';
import type { ClockMark } from './clock.js';

/** Maximum number of sessions per user; a further login ends the least recently used session. */
const MAX_SESSIONS = 50;

export interface OpenSession {
  id: string;
  tokenHash: Uint8Array;
  userId: number;
  passwordPhc: string;
  /** The user's password, hashed with the current parameters; null if the stored hash already uses them. */
  renewedPhc: string | null;
  /** Null only if the user has no second factor. */
  factor: Factor | null;
  /** The browser's previous session. Ending it requires the secret, not only the handle. */
  replaces: { id: string; tokenHash: Uint8Array } | null;
  /** `now`, `expiresAt` and `idleExpiresAt` are times of the `SessionClock`. */
  now: number;
  expiresAt: number;
  idleExpiresAt: number;
  ip: string;
  userAgent: string;
  mark: ClockMark;
}

/** Returns false if the user, password or factor changed after the check, or if the code was used. */
function open(
  db: WriteDatabase,
  { replaces, renewedPhc, passwordPhc, factor, mark, ...session }: OpenSession,
): boolean {
  const { userId } = session;
  const isGood = db
    .prepare('SELECT 1 FROM users WHERE id = @userId AND password_phc = @passwordPhc AND disabled_at IS NULL')
    .get({ userId, passwordPhc });
  if (!isGood || !consumeFactor(db, userId, factor)) return false;
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

/** Updates only an existing row, so that a late update does not recreate a session that has ended. */
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
  /** The session to end; if absent, all sessions end. */
  only?: string;
  except?: string;
}

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

function purge(db: WriteDatabase, { now }: { now: number }): number {
  const old = db.prepare('DELETE FROM sessions WHERE expires_at <= @now').run({ now }).changes;
  return old + db.prepare('DELETE FROM sessions WHERE idle_expires_at <= @now').run({ now }).changes;
}

export const sessionWrites = {
  'access.openSession': open,
  'access.touchSession': touch,
  'access.markSessionClock': markClock,
  'access.closeSession': close,
  'access.closeSessions': closeAll,
  'access.purgeSessions': purge,
};

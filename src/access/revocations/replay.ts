import { ROLES, type Role } from '../../http/guard/authenticator.js';
import type { WriteDatabase } from '../../shared/ports/database.js';
import type { ReplayedRevocation, ReplayRevocations, Revocation } from '../../shared/ports/revocations.js';
import { keyHashOf, REVOKED_PASSWORD, revokedUser } from './revocations.js';
import { replaySecondFactor } from './second-factor.js';

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

interface UserRow {
  id: number;
  username: string;
  role: Role;
}

/**
 * Reapplies all revocations since the backup (sessions, keys, passwords, roles, disabled users) and sets
 * second factors to their latest state. Users who were enabled or promoted after the backup keep the state
 * and the role that they had in the backup.
 */
export const replayAccess: ReplayRevocations = (db, revocations) => {
  const done: ReplayedRevocation[] = [];
  const sessions = db.prepare('DELETE FROM sessions').run().changes;
  if (sessions > 0) {
    const text = `${sessions} ${sessions === 1 ? 'session' : 'sessions'} ended`;
    done.push({ text, fields: { what: 'sessions_ended', sessions } });
  }
  for (const revocation of revocations.toSorted((a, b) => a.sequence - b.sequence)) {
    const one = replayUser(db, revocation) ?? replayKey(db, revocation);
    if (one) done.push(one);
  }
  return done;
};

function replayUser(db: WriteDatabase, revocation: Revocation): ReplayedRevocation | undefined {
  const user = revokedUser(revocation);
  if (!user) return undefined;
  const found = db
    .prepare<UserRow>('SELECT id, username, role FROM users WHERE id = @id AND created_at = @createdAt')
    .get(user);
  if (!found) return undefined;
  const { id, username } = found;
  const fieldsOf = (what: string, more: object = {}) => ({ what, userId: id, username, ...more });
  switch (revocation.what) {
    case 'disabled':
      if (revocation.value !== '1' || !disable(db, id)) return undefined;
      return { text: `user ${username} disabled`, fields: fieldsOf('user_disabled') };
    case 'role': {
      const role = lower(db, found, revocation.value);
      if (!role) return undefined;
      return {
        text: `role lowered to ${role} for user ${username}`,
        fields: fieldsOf('role_lowered', { role }),
      };
    }
    case 'password':
      revokePassword(db, id);
      return { text: `user ${username} must set a new password`, fields: fieldsOf('password_revoked') };
    case 'secondFactor': {
      const totp = replaySecondFactor(db, id, revocation.value);
      if (totp === undefined) return undefined;
      const text = totp
        ? `second factor restored to its latest state for user ${username}`
        : `second factor turned off for user ${username}`;
      return { text, fields: fieldsOf('second_factor_replayed', { totp }) };
    }
    default:
      return undefined;
  }
}

function disable(db: WriteDatabase, id: number): boolean {
  const sql = `UPDATE users SET disabled_at = ${NOW} WHERE id = @id AND disabled_at IS NULL`;
  return db.prepare(sql).run({ id }).changes > 0;
}

/** Lowers a user's role to `last`; returns undefined if `last` is not lower. */
function lower(db: WriteDatabase, { id, role }: UserRow, last: string): Role | undefined {
  const lowered = ROLES.find((one) => one === last);
  if (!lowered || ROLES.indexOf(lowered) >= ROLES.indexOf(role)) return undefined;
  db.prepare('UPDATE users SET role = @lowered WHERE id = @id').run({ id, lowered });
  return lowered;
}

function revokePassword(db: WriteDatabase, id: number): void {
  const sql = 'UPDATE users SET password_phc = @none WHERE id = @id';
  db.prepare(sql).run({ id, none: REVOKED_PASSWORD });
}

function replayKey(db: WriteDatabase, revocation: Revocation): ReplayedRevocation | undefined {
  const keyHash = keyHashOf(revocation);
  if (!keyHash) return undefined;
  const key = db
    .prepare<{ keyId: number; name: string }>(`
      SELECT id AS keyId, name FROM api_keys WHERE key_hash = @keyHash AND revoked_at IS NULL`)
    .get({ keyHash });
  if (!key) return undefined;
  db.prepare(`UPDATE api_keys SET revoked_at = ${NOW} WHERE id = @keyId`).run({ keyId: key.keyId });
  return { text: `key ${key.name} revoked`, fields: { what: 'key_revoked', ...key } };
}

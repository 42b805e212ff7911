import type { Role } from '../../http/guard/authenticator.js';
import type { WriteDatabase } from '../../shared/ports/database.js';
import type { Revocation } from '../../shared/ports/revocations.js';

interface UserRevocations {
  disabled: '0' | '1';
  role: Role;
  password: '';
  secondFactor: string;
}

/** Replaces an outdated password hash in a restored database; no password matches it. */
export const REVOKED_PASSWORD = '!';

export const ADMINISTRATOR = `
  SELECT id FROM users WHERE role = 'admin' AND disabled_at IS NULL AND password_phc <> '${REVOKED_PASSWORD}' LIMIT 1`;

/** Must be called in the same transaction as the revocation. */
function record(db: WriteDatabase, subject: string, what: string, value: string): void {
  db.prepare(`
    INSERT OR REPLACE INTO revocations (subject, what, value, sequence)
    VALUES (@subject, @what, @value, (SELECT coalesce(max(sequence), 0) + 1 FROM revocations))`).run({
    subject,
    what,
    value,
  });
}

/** The subject includes the creation time, because a restored database can reuse the user ID. */
export function recordUser<What extends keyof UserRevocations>(
  db: WriteDatabase,
  user: { id: number; createdAt: number },
  what: What,
  value: UserRevocations[What],
): void {
  record(db, `user ${user.id} ${user.createdAt}`, what, value);
}

export function recordKey(db: WriteDatabase, keyHash: Uint8Array): void {
  record(db, `key ${Buffer.from(keyHash).toString('hex')}`, 'revoked', '');
}

/** Records only that sessions were ended early, not which ones, because a restore ends all sessions. */
export function recordSessions(db: WriteDatabase, ended: number): void {
  if (ended > 0) record(db, 'sessions', 'ended', '');
}

export function revokedUser({ subject }: Revocation): { id: number; createdAt: number } | undefined {
  const [, id, createdAt] = /^user (\d+) (\d+)$/.exec(subject) ?? [];
  return id && createdAt ? { id: Number(id), createdAt: Number(createdAt) } : undefined;
}

export function keyHashOf({ subject }: Revocation): Uint8Array | undefined {
  const [, hash] = /^key ([0-9a-f]{64})$/.exec(subject) ?? [];
  return hash ? Buffer.from(hash, 'hex') : undefined;
}

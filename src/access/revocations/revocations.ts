import type { WriteDatabase } from '../../shared/ports/database.js';
import type { Revocation } from '../../shared/ports/revocations.js';
import type { Role } from '../schema.js';

/** What is recorded of a user; the last of each counts. */
interface UserRevocations {
  disabled: '0' | '1';
  role: Role;
  password: '';
  /** As `recordSecondFactor` writes it. */
  secondFactor: string;
}

/** The password of this user was changed, and the database has only an older one: no password opens the account. */
export const REVOKED_PASSWORD = '!';

/** SQL: an administrator who can log in. */
export const ADMINISTRATOR = `
  SELECT id FROM users WHERE role = 'admin' AND disabled_at IS NULL AND password_phc <> '${REVOKED_PASSWORD}' LIMIT 1`;

/** To be called in the operation that revokes: the record and the change are one transaction. */
function record(db: WriteDatabase, subject: string, what: string, value: string): void {
  db.prepare(`
    INSERT OR REPLACE INTO revocations (subject, what, value, sequence)
    VALUES (@subject, @what, @value, (SELECT coalesce(max(sequence), 0) + 1 FROM revocations))`).run({
    ...{ subject, what, value },
  });
}

/** An id may belong to somebody else in a database that was restored; id and creation time together do not. */
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

/** A session ended before its time. An older database ends all of its sessions, whoever they belong to. */
export function recordSessions(db: WriteDatabase, ended: number): void {
  if (ended > 0) record(db, 'sessions', 'ended', '');
}

/** The user of a revocation; undefined for another subject. */
export function userOf({ subject }: Revocation): { id: number; createdAt: number } | undefined {
  const [, id, createdAt] = /^user (\d+) (\d+)$/.exec(subject) ?? [];
  return id && createdAt ? { id: Number(id), createdAt: Number(createdAt) } : undefined;
}

/** The SHA-256 of the key of a revocation; undefined for another subject. */
export function keyHashOf({ subject }: Revocation): Uint8Array | undefined {
  const [, hash] = /^key ([0-9a-f]{64})$/.exec(subject) ?? [];
  return hash ? Buffer.from(hash, 'hex') : undefined;
}

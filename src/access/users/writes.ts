import type { Role } from '../../http/guard/authenticator.js';
import { GatewayError } from '../../shared/errors.js';
import type { WriteDatabase, WriteOperations } from '../../shared/ports/database.js';
import { accessMessage } from '../messages.js';
import { ADMINISTRATOR, REVOKED_PASSWORD, recordSessions, recordUser } from '../revocations/revocations.js';

export interface AddUser {
  username: string;
  usernameKey: string;
  passwordPhc: string;
  role: Role;
  now: number;
  /** Adds the first administrator; permitted only if no administrator can log in. */
  first: boolean;
}

interface Found {
  id: number;
  createdAt: number;
  phc: string;
  role: Role;
}

export interface ChangeUser {
  userId: number;
  role?: Role;
  disabled?: boolean;
  passwordPhc?: string;
  /** The stored password hash must equal this one; otherwise, the change fails. */
  expectedPhc?: string;
  keepSession?: string;
  now: number;
}

/**
 * Returns the user's ID. With `first`, sets the password of an existing administrator whose password was
 * revoked. Throws `CONFLICT` if the name is taken or, with `first`, if an administrator can log in.
 */
function addUser(db: WriteDatabase, { first, now, ...user }: AddUser): number {
  if (first && db.prepare(ADMINISTRATOR).get()) {
    throw new GatewayError('CONFLICT', accessMessage('set-up-already'), { hint: accessMessage('log-in') });
  }
  const renewed = first ? renewAdministrator(db, user, now) : undefined;
  if (renewed !== undefined) return renewed;
  const { changes, lastInsertRowid } = db
    .prepare(`
      INSERT INTO users (username, username_key, password_phc, role, created_at, updated_at)
      VALUES (@username, @usernameKey, @passwordPhc, @role, @now, @now)
      ON CONFLICT (username_key) DO NOTHING`)
    .run({ ...user, now });
  if (changes === 0) {
    throw new GatewayError('CONFLICT', accessMessage('name-taken'), { field: 'username' });
  }
  return Number(lastInsertRowid);
}

function renewAdministrator(
  db: WriteDatabase,
  { usernameKey, passwordPhc }: Pick<AddUser, 'usernameKey' | 'passwordPhc'>,
  now: number,
): number | undefined {
  const found = db
    .prepare<{ id: number }>(`
      SELECT id FROM users
      WHERE username_key = @usernameKey AND role = 'admin' AND disabled_at IS NULL AND password_phc = @none`)
    .get({ usernameKey, none: REVOKED_PASSWORD });
  if (found) changeUser(db, { userId: found.id, passwordPhc, now });
  return found?.id;
}

/**
 * Throws `NOT_FOUND`, or `CONFLICT` if no administrator would remain or if the stored hash differs from
 * `expectedPhc`. Setting the password or disabling the user ends the user's sessions in the same transaction.
 */
function changeUser(db: WriteDatabase, change: ChangeUser): void {
  const { userId, role, disabled, passwordPhc, expectedPhc, keepSession = '', now } = change;
  const found = db
    .prepare<Found>(`
      SELECT id, created_at AS createdAt, password_phc AS phc, role FROM users WHERE id = @userId`)
    .get({ userId });
  if (!found) throw new GatewayError('NOT_FOUND', accessMessage('no-user'));
  if (expectedPhc !== undefined && expectedPhc !== found.phc) {
    throw new GatewayError('CONFLICT', accessMessage('login-changed'));
  }
  db.prepare(`
    UPDATE users SET role = coalesce(@role, role), password_phc = coalesce(@passwordPhc, password_phc),
      disabled_at = CASE @disabled WHEN 1 THEN coalesce(disabled_at, @now) WHEN 0 THEN NULL ELSE disabled_at END,
      updated_at = @now
    WHERE id = @userId`).run({
    userId,
    role: role ?? null,
    passwordPhc: passwordPhc ?? null,
    disabled: disabled === undefined ? null : Number(disabled),
    now,
  });
  if (found.role === 'admin' && (role !== undefined || disabled)) requireAdministrator(db);
  if (disabled || passwordPhc !== undefined) {
    const others = 'DELETE FROM sessions WHERE user_id = @userId AND id <> @keepSession';
    recordSessions(db, db.prepare(others).run({ userId, keepSession }).changes);
  }
  if (disabled !== undefined) recordUser(db, found, 'disabled', disabled ? '1' : '0');
  if (role !== undefined && role !== found.role) recordUser(db, found, 'role', role);
  if (passwordPhc !== undefined) recordUser(db, found, 'password', '');
}

function requireAdministrator(db: WriteDatabase): void {
  if (db.prepare(ADMINISTRATOR).get()) return;
  throw new GatewayError('CONFLICT', accessMessage('last-admin'), {
    hint: accessMessage('last-admin-hint'),
  });
}

export const userWrites = {
  'access.addUser': addUser,
  'access.changeUser': changeUser,
} satisfies WriteOperations;

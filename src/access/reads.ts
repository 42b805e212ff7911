import type { Role } from '../http/guard/authenticator.js';
import type { ReadDatabase, Statement } from '../shared/ports/database.js';
import { ADMINISTRATOR, REVOKED_PASSWORD } from './revocations/revocations.js';
import type { ApiKey, User } from './schema.js';
import type { ClockMark } from './sessions/clock.js';
import { untrimmedKey, usernameKey } from './users/credential-checks.js';

/** A user, including the password hash; must not be passed to other modules. */
export interface Account {
  id: number;
  username: string;
  phc: string;
  role: Role;
  disabledAt: number | null;
  createdAt: number;
  totp: number;
}

export interface SessionRow {
  userId: number;
  username: string;
  role: Role;
  tokenHash: Uint8Array;
  lastSeenAt: number;
  expiresAt: number;
  idleExpiresAt: number;
}

interface UserSessionRow {
  id: string;
  userAgent: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  idleExpiresAt: number;
}

interface KeyRow extends Omit<ApiKey, 'scopes'> {
  scopes: string;
}

const ACCOUNT = `
  SELECT id, username, password_phc AS phc, role, disabled_at AS disabledAt, created_at AS createdAt,
    EXISTS (SELECT 1 FROM totp WHERE user_id = users.id) AS totp
  FROM users`;
const SESSION = `
  SELECT user_id AS userId, username, role, token_hash AS tokenHash, last_seen_at AS lastSeenAt,
    expires_at AS expiresAt, idle_expires_at AS idleExpiresAt
  FROM sessions JOIN users ON users.id = user_id
  WHERE sessions.id = @id AND disabled_at IS NULL`;
const SESSIONS_OF = `
  SELECT id, coalesce(user_agent, '') AS userAgent, created_at AS createdAt, last_seen_at AS lastSeenAt,
    expires_at AS expiresAt, idle_expires_at AS idleExpiresAt
  FROM sessions WHERE user_id = @userId ORDER BY last_seen_at DESC, created_at DESC`;
const CLOCK = 'SELECT session_ms AS sessionMs, wall_ms AS wallMs FROM session_clock WHERE id = 1';
const KEY = `
  SELECT id AS keyId, name, prefix, scopes, created_at AS createdAt, last_used_at AS lastUsedAt,
    expires_at AS expiresAt, revoked_at AS revokedAt
  FROM api_keys`;

/** Queries on the access tables; each query uses an index. */
export class AccessReads {
  readonly #byName: Statement<Account>;
  readonly #byId: Statement<Account>;
  readonly #all: Statement<Account>;
  readonly #any: Statement<unknown>;
  readonly #administrator: Statement<unknown>;
  readonly #revoked: Statement<unknown>;
  readonly #session: Statement<SessionRow>;
  readonly #sessionsOf: Statement<UserSessionRow>;
  readonly #clock: Statement<ClockMark>;
  readonly #key: Statement<KeyRow>;
  readonly #goodKey: Statement<unknown>;
  readonly #keys: Statement<KeyRow>;

  constructor(db: ReadDatabase) {
    this.#byName = db.prepare(`${ACCOUNT} WHERE username_key = @key`);
    this.#byId = db.prepare(`${ACCOUNT} WHERE id = @id`);
    this.#all = db.prepare(`${ACCOUNT} ORDER BY id LIMIT 1000`);
    this.#any = db.prepare('SELECT 1 FROM users LIMIT 1');
    this.#administrator = db.prepare(ADMINISTRATOR);
    this.#revoked = db.prepare('SELECT 1 FROM revocations LIMIT 1');
    this.#session = db.prepare(SESSION);
    this.#sessionsOf = db.prepare(SESSIONS_OF);
    this.#clock = db.prepare(CLOCK);
    this.#key = db.prepare(`${KEY} WHERE key_hash = @hash AND revoked_at IS NULL`);
    this.#goodKey = db.prepare(`
      SELECT 1 FROM api_keys
      WHERE id = @keyId AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @now)`);
    this.#keys = db.prepare(`${KEY} ORDER BY id DESC LIMIT 1000`);
  }

  hasAdministrator(): boolean {
    return this.#administrator.get() !== undefined;
  }

  /** Returns true if this gateway has ever recorded a revocation, in this database or an earlier one. */
  hasRevocations(): boolean {
    return this.#revoked.get() !== undefined;
  }

  hasUsers(): boolean {
    return this.#any.get() !== undefined;
  }

  /** Ignores spaces around the name, unless an earlier version stored the name with these spaces. */
  accountByName(username: string): Account | undefined {
    const trimmed = this.#byName.get({ key: usernameKey(username) });
    return trimmed ?? this.#byName.get({ key: untrimmedKey(username) });
  }

  account(id: number): Account | undefined {
    return this.#byId.get({ id });
  }

  users(): User[] {
    return this.#all.all().map(toUser);
  }

  session(id: string): SessionRow | undefined {
    return this.#session.get({ id });
  }

  sessionClock(): ClockMark | undefined {
    return this.#clock.get();
  }

  sessionsOf(userId: number): UserSessionRow[] {
    return this.#sessionsOf.all({ userId });
  }

  /**
   * Finds an API key that is not revoked.
   * @param hash SHA-256 of the key.
   */
  key(hash: Uint8Array): ApiKey | undefined {
    const row = this.#key.get({ hash });
    return row && toKey(row);
  }

  isGoodKey(keyId: number, now: number): boolean {
    return this.#goodKey.get({ keyId, now }) !== undefined;
  }

  keys(): ApiKey[] {
    return this.#keys.all().map(toKey);
  }
}

export function toUser({ id, username, role, phc, disabledAt, createdAt, totp }: Account): User {
  const [disabled, passwordRevoked] = [disabledAt !== null, phc === REVOKED_PASSWORD];
  return { userId: id, username, role, disabled, passwordRevoked, totp: totp !== 0, createdAt };
}

function toKey(row: KeyRow): ApiKey {
  return { ...row, scopes: JSON.parse(row.scopes) as string[] };
}

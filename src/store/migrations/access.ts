import type { Migration } from './migration.js';

/**
 * Users, sessions and API keys. Passwords are PHC strings. Session secrets and keys are long and random, so
 * SHA-256 is sufficient for them.
 */
export const access: Migration = {
  name: 'access',
  up(db) {
    db.exec(`
      CREATE TABLE users (
        id INTEGER PRIMARY KEY,
        username TEXT NOT NULL CHECK (length(username) BETWEEN 1 AND 64),
        username_key TEXT NOT NULL UNIQUE,
        password_phc TEXT NOT NULL,
        role TEXT NOT NULL DEFAULT 'customer' CHECK (role IN ('customer', 'operator', 'admin')),
        disabled_at INTEGER,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE sessions (
        id TEXT PRIMARY KEY CHECK (length(id) = 36),
        token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        last_seen_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        idle_expires_at INTEGER NOT NULL,
        ip TEXT,
        user_agent TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_user ON sessions (user_id);
      CREATE INDEX sessions_expiry ON sessions (expires_at);
      CREATE INDEX sessions_idle ON sessions (idle_expires_at);
      CREATE TABLE api_keys (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
        prefix TEXT NOT NULL,
        key_hash BLOB NOT NULL UNIQUE CHECK (length(key_hash) = 32),
        scopes TEXT NOT NULL CHECK (json_valid(scopes)),
        created_at INTEGER NOT NULL,
        last_used_at INTEGER,
        revoked_at INTEGER
      ) STRICT;
    `);
  },
};

/** Existing keys do not expire. */
export const keyExpiry: Migration = {
  name: 'key-expiry',
  up(db) {
    db.exec('ALTER TABLE api_keys ADD COLUMN expires_at INTEGER');
  },
};

/** Relates the session clock to the wall clock, so that jumps of the wall clock do not affect sessions. */
export const sessionClock: Migration = {
  name: 'session-clock',
  up(db) {
    db.exec(`
      CREATE TABLE session_clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        session_ms INTEGER NOT NULL,
        wall_ms INTEGER NOT NULL
      ) STRICT`);
  },
};

/**
 * The latest revocation for each `subject` and `what`. A database whose highest sequence number is lower than
 * that of `revocations.journal` is out of date.
 */
export const revocations: Migration = {
  name: 'revocations',
  up(db) {
    db.exec(`
      CREATE TABLE revocations (
        subject TEXT NOT NULL,
        what TEXT NOT NULL,
        value TEXT NOT NULL,
        sequence INTEGER NOT NULL UNIQUE,
        PRIMARY KEY (subject, what)
      ) STRICT`);
  },
};

/**
 * The second factor. `sealed` is encrypted with a key outside the database, so that a backup alone reveals no
 * secrets. `last_step` ensures that each code is accepted only once. Recovery codes are SHA-256 hashes.
 */
export const totp: Migration = {
  name: 'totp',
  up(db) {
    db.exec(`
      CREATE TABLE totp (
        user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        sealed BLOB NOT NULL,
        last_step INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE recovery_codes (
        user_id INTEGER NOT NULL REFERENCES totp (user_id) ON DELETE CASCADE,
        code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
        PRIMARY KEY (user_id, code_hash)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};

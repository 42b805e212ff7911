import type { Migration } from './migration.js';

/**
 * The second factor. `sealed` is the TOTP secret, encrypted with a key outside the database, so that a backup alone makes no
 * codes. `last_step` is the last accepted time step: a code is accepted once. Recovery codes are kept as SHA-256.
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

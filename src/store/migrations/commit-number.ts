import type { Migration } from './migration.js';

/**
 * Counts the acknowledged operations in the same transaction as the operations, so that a database that lost
 * transactions has a lower number than the file `commit-number`.
 */
export const commitNumber: Migration = {
  name: 'commit-number',
  up(db) {
    db.exec(`
      CREATE TABLE commit_number (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        database_id TEXT NOT NULL CHECK (length(database_id) = 32),
        operations INTEGER NOT NULL
      ) STRICT;
      INSERT INTO commit_number (id, database_id, operations) VALUES (1, lower(hex(randomblob(16))), 0);
    `);
  },
};

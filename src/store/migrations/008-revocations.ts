import type { Migration } from './migration.js';

/**
 * The last revocation of each subject, numbered in order. `revocations.journal` beside the database holds the same rows:
 * a database whose highest number is below that of the file is older than the file.
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

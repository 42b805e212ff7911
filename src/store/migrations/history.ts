import type { Migration } from './migration.js';

const DAYS_30_MS = 30 * 86_400_000;

/** Triggers prevent changes to rows, and deletions within 30 days. `entry_key` makes appends idempotent. */
export const history: Migration = {
  name: 'history',
  up(db) {
    db.exec(`
      CREATE TABLE command_history (
        id INTEGER PRIMARY KEY,
        entry_key TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        command_id TEXT NOT NULL,
        cart_id INTEGER NOT NULL,
        state TEXT NOT NULL,
        view TEXT NOT NULL CHECK (json_valid(view))
      ) STRICT;
      CREATE INDEX command_history_at ON command_history (at);
      CREATE INDEX command_history_command ON command_history (command_id);
      CREATE TABLE safety_events (
        id INTEGER PRIMARY KEY,
        entry_key TEXT NOT NULL UNIQUE,
        at INTEGER NOT NULL,
        cart_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        view TEXT NOT NULL CHECK (json_valid(view))
      ) STRICT;
      CREATE INDEX safety_events_at ON safety_events (at);
    `);
    for (const table of ['command_history', 'safety_events']) {
      db.exec(`
        CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table}
        BEGIN SELECT RAISE(ABORT, 'append-only'); END;
        CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table}
        WHEN OLD.at > CAST(unixepoch('subsec') * 1000 AS INTEGER) - ${DAYS_30_MS}
        BEGIN SELECT RAISE(ABORT, 'append-only'); END;
      `);
    }
  },
};

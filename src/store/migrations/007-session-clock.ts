import type { Migration } from './migration.js';

/** How far the clock of sessions had run at a wall time: a step of the wall clock must not end sessions. */
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

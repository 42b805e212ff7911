import type { Migration } from './migration.js';

/** Printed markers; the tag36h11 family contains 587. */
export const markers: Migration = {
  name: 'markers',
  up(db) {
    db.exec(`
      CREATE TABLE markers (
        id INTEGER PRIMARY KEY CHECK (id BETWEEN 0 AND 586),
        json TEXT NOT NULL CHECK (json_valid(json))
      ) STRICT;
    `);
  },
};

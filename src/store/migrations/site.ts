import type { Migration } from './migration.js';

/** The zones and places of the floor plan, in one row, because they have one version. */
export const sitePlan: Migration = {
  name: 'site plan',
  up(db) {
    db.exec(`
      CREATE TABLE site_plan (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        version INTEGER NOT NULL CHECK (version > 0),
        plan_hash TEXT NOT NULL,
        mm_per_pixel REAL NOT NULL CHECK (mm_per_pixel > 0),
        zones TEXT NOT NULL CHECK (json_valid(zones)),
        places TEXT NOT NULL CHECK (json_valid(places))
      ) STRICT;
    `);
  },
};

/** A gateway replaces a plan that another gateway has published only with a later version. */
export const sharedSitePlan: Migration = {
  name: 'shared site plan',
  up(db) {
    db.exec(
      'ALTER TABLE site_plan ADD COLUMN is_shared INTEGER NOT NULL DEFAULT 0 CHECK (is_shared IN (0, 1))',
    );
  },
};

/** Routes have the version of the site plan. A run has one row with its last state. */
export const routes: Migration = {
  name: 'routes and runs',
  up(db) {
    db.exec(`
      ALTER TABLE site_plan ADD COLUMN routes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(routes));
      CREATE TABLE site_runs (
        run_id TEXT PRIMARY KEY,
        started_at INTEGER NOT NULL,
        view TEXT NOT NULL CHECK (json_valid(view))
      ) STRICT;
    `);
  },
};

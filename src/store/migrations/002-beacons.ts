import type { Migration } from './migration.js';

/**
 * The beacon registry. `seq` ties a beacon to its point in `beacon_places`, an R*Tree over latitude and longitude, which
 * holds those beacons whose position is known.
 */
export const beacons: Migration = {
  name: 'beacons',
  up(db) {
    db.exec(`
      CREATE TABLE beacons (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        description TEXT NOT NULL,
        long_description TEXT NOT NULL,
        tx_power INTEGER CHECK (tx_power BETWEEN -100 AND 20),
        lat REAL CHECK (lat BETWEEN -90 AND 90),
        long REAL CHECK (long BETWEEN -180 AND 180),
        CHECK ((lat IS NULL) = (long IS NULL))
      ) STRICT;
      CREATE VIRTUAL TABLE beacon_places USING rtree(seq, south, north, west, east);
    `);
  },
};

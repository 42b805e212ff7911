import type { Migration } from './migration.js';

/**
 * The beacon registry. A beacon is stored as the JSON of its answer, so that a read is one look-up of one text (8 us among a
 * million beacons, against 12 us for columns). `beacon_places` is an R*Tree over the known positions; `place` is the row in
 * it.
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

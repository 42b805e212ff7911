import type { Migration } from './migration.js';

/**
 * Each beacon is stored as the JSON that the API returns, so that one lookup is sufficient (8 µs among a
 * million beacons; 12 µs with separate columns). `beacon_places` is an R*Tree index of the positions.
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

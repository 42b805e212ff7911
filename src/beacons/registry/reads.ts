import { haversineM, type LatLong } from '../../plan/pure.js';
import type { ReadDatabase, Statement } from '../../shared/ports/database.js';
import { type Box, contains, split } from './boxes.js';
import { type IndexedBeacon, nearestBeacons } from './nearest.js';
import { type Beacon, fromStored } from './schema.js';

const ONE = 'SELECT json FROM beacons WHERE id = @id';
const PAGE = 'SELECT id, json FROM beacons WHERE id > @after ORDER BY id LIMIT @limit';
const BY_PREFIX = `
  SELECT id, json FROM beacons WHERE id > @after AND id >= @prefix AND id < @end ORDER BY id LIMIT @limit`;
const BEYOND = 'SELECT 1 FROM beacons ORDER BY id LIMIT 1 OFFSET @count';
const IN_BOX = 'south <= @north AND north >= @south AND west <= @east AND east >= @west';
const PLACES = `
  SELECT place, (south + north) / 2 AS lat, (west + east) / 2 AS long
  FROM beacon_places WHERE ${IN_BOX} LIMIT @limit`;
/** The number of rows is limited, because the page must not wait for a scan of all beacons. */
const SOUTH_WEST = `
  SELECT min(south) AS lat, min(west) AS long
  FROM (SELECT place FROM beacons ORDER BY id LIMIT 1000) JOIN beacon_places USING (place)`;
const AT_PLACE = 'SELECT json FROM beacon_places JOIN beacons USING (id) WHERE beacon_places.place = @place';

interface Page {
  jsons: string[];
  /** ID of the last beacon; equal to `after` if the page is empty. */
  last: string;
}

/** Each query uses an index and is short; callers read long lists page by page. */
export class BeaconReads {
  readonly #one: Statement<{ json: string }>;
  readonly #page: Statement<{ id: string; json: string }>;
  readonly #byPrefix: Statement<{ id: string; json: string }>;
  readonly #beyond: Statement<unknown>;
  readonly #places: Statement<IndexedBeacon>;
  readonly #southWest: Statement<{ lat: number | null; long: number | null }>;
  readonly #atPlace: Statement<{ json: string }>;

  constructor(db: ReadDatabase) {
    this.#one = db.prepare(ONE);
    this.#page = db.prepare(PAGE);
    this.#byPrefix = db.prepare(BY_PREFIX);
    this.#beyond = db.prepare(BEYOND);
    this.#places = db.prepare(PLACES);
    this.#southWest = db.prepare(SOUTH_WEST);
    this.#atPlace = db.prepare(AT_PLACE);
  }

  json(id: string): string | undefined {
    return this.#one.get({ id })?.json;
  }

  page(after: string, limit: number): Page {
    const rows = this.#page.all({ after, limit });
    return { jsons: rows.map(({ json }) => json), last: rows.at(-1)?.id ?? after };
  }

  withIdPrefix(prefix: string, after: string, limit: number): Page {
    // U+10FFFF is a noncharacter, so no ID contains it, and `end` follows every ID with the prefix.
    const end = `${prefix}\u{10FFFF}`;
    const rows = this.#byPrefix.all({ prefix, end, after, limit });
    return { jsons: rows.map(({ json }) => json), last: rows.at(-1)?.id ?? after };
  }

  hasMoreThan(count: number): boolean {
    return this.#beyond.get({ count }) !== undefined;
  }

  /** Index rows, oldest first. Because of rounding, some positions may be slightly outside the box. */
  placesInBox(box: Box, limit: number): number[] {
    const rows = split(box).flatMap((part) => this.#places.all({ ...part, limit }));
    return rows.map(({ place }) => place).toSorted((a, b) => a - b);
  }

  /** Considers only the first 1000 beacons; undefined if none of them has a position. */
  southWest(): LatLong | undefined {
    const { lat, long } = this.#southWest.get({}) ?? {};
    return typeof lat === 'number' && typeof long === 'number' ? { lat, long } : undefined;
  }

  atPlace(place: number): string | undefined {
    return this.#atPlace.get({ place })?.json;
  }

  nearest(from: LatLong, limit: number): string[] {
    const rows = nearestBeacons(from, limit, (box, max) => this.#places.all({ ...box, limit: max }));
    const near = rows.flatMap(({ place }) => {
      const json = this.atPlace(place);
      return json === undefined ? [] : [{ json, distanceM: distanceM(from, fromStored(json)) }];
    });
    near.sort((a, b) => a.distanceM - b.distanceM);
    return near.slice(0, limit).map(({ json }) => json);
  }
}

export function isInside(box: Box, { lat, long }: Beacon): boolean {
  return lat !== undefined && long !== undefined && split(box).some((part) => contains(part, { lat, long }));
}

function distanceM(from: LatLong, { lat, long }: Beacon): number {
  return lat === undefined || long === undefined ? Infinity : haversineM(from, { lat, long });
}

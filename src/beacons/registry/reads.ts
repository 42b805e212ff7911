import type { ReadDatabase, Statement } from '../../shared/ports/ports.js';
import { haversineM, type LatLong } from '../positioning/geodesy.js';
import { type Box, holds, split } from './boxes.js';
import { nearestBeacons, type RankedBeacon } from './nearest.js';
import type { Beacon } from './schema.js';
import { fromStored } from './stored.js';

const ONE = 'SELECT json FROM beacons WHERE id = @id';
const PAGE = 'SELECT id, json FROM beacons WHERE id > @after ORDER BY id LIMIT @limit';
const BEGINNING = `
  SELECT id, json FROM beacons WHERE id > @after AND id >= @beginning AND id < @end ORDER BY id LIMIT @limit`;
const BEYOND = 'SELECT 1 FROM beacons ORDER BY id LIMIT 1 OFFSET @count';
const IN_BOX = 'south <= @north AND north >= @south AND west <= @east AND east >= @west';
const PLACES = `
  SELECT place, (south + north) / 2 AS lat, (west + east) / 2 AS long
  FROM beacon_places WHERE ${IN_BOX} LIMIT @most`;
const AT_PLACE = 'SELECT json FROM beacon_places JOIN beacons USING (id) WHERE beacon_places.place = @place';

/** Beacons in a row: their JSON, and where the next ones go on. */
interface Page {
  jsons: string[];
  /** The id of the last one; that of the page before when this one is empty. */
  last: string;
}

/** What is asked of the registry's tables. All of it is by an index and short; long answers come in pieces. */
export class BeaconReads {
  readonly #one: Statement<{ json: string }>;
  readonly #page: Statement<{ id: string; json: string }>;
  readonly #beginning: Statement<{ id: string; json: string }>;
  readonly #beyond: Statement<unknown>;
  readonly #places: Statement<RankedBeacon>;
  readonly #atPlace: Statement<{ json: string }>;

  constructor(db: ReadDatabase) {
    this.#one = db.prepare(ONE);
    this.#page = db.prepare(PAGE);
    this.#beginning = db.prepare(BEGINNING);
    this.#beyond = db.prepare(BEYOND);
    this.#places = db.prepare(PLACES);
    this.#atPlace = db.prepare(AT_PLACE);
  }

  json(id: string): string | undefined {
    return this.#one.get({ id })?.json;
  }

  /** In the order of their ids, from the first one after `after`. */
  page(after: string, limit: number): Page {
    const rows = this.#page.all({ after, limit });
    return { jsons: rows.map(({ json }) => json), last: rows.at(-1)?.id ?? after };
  }

  /** The same of those whose id begins with a text. */
  beginning(beginning: string, after: string, limit: number): Page {
    // No id goes on with the last character of Unicode.
    const end = `${beginning}\u{10FFFF}`;
    const rows = this.#beginning.all({ beginning, end, after, limit });
    return { jsons: rows.map(({ json }) => json), last: rows.at(-1)?.id ?? after };
  }

  hasMoreThan(count: number): boolean {
    return this.#beyond.get({ count }) !== undefined;
  }

  /** About all places in a box (a few just outside it as well), at most `most`, oldest first. */
  placesInBox(box: Box, most: number): number[] {
    const rows = split(box).flatMap((part) => this.#places.all({ ...part, most }));
    return rows.map(({ place }) => place).toSorted((a, b) => a - b);
  }

  /** The JSON of the beacon at a place; undefined when it has gone from there. */
  atPlace(place: number): string | undefined {
    return this.#atPlace.get({ place })?.json;
  }

  /** The JSON of the nearest, in order, at most `limit`. */
  nearest(from: LatLong, limit: number): string[] {
    const places = nearestBeacons(from, limit, (box, most) => this.#places.all({ ...box, most }));
    const near = places.flatMap(({ place }) => {
      const json = this.atPlace(place);
      return json === undefined ? [] : [{ json, distanceM: distanceM(from, fromStored(json)) }];
    });
    near.sort((a, b) => a.distanceM - b.distanceM);
    return near.slice(0, limit).map(({ json }) => json);
  }
}

/** Whether a beacon is exactly inside a box; one without a position is not. */
export function isInside(box: Box, { lat, long }: Beacon): boolean {
  return lat !== undefined && long !== undefined && split(box).some((part) => holds(part, { lat, long }));
}

/** From its true position, not from that of the index. */
function distanceM(from: LatLong, { lat, long }: Beacon): number {
  return lat === undefined || long === undefined ? Infinity : haversineM(from, { lat, long });
}

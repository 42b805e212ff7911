import type { LatLong } from '../../plan/pure.js';
import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Commit, Store } from '../../shared/ports/store.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { invalidInput } from '../../shared/validation/validate.js';
import { type Candidate, checkRows, conflictError } from '../formats/import.js';
import { beaconMessage } from '../messages.js';
import { observe } from '../positioning/locate.js';
import type { Observation } from '../positioning/observation.js';
import type { PathLoss } from '../positioning/ranging.js';
import type { Box } from './boxes.js';
import { type IsRegistered, requireBeacon, requireBeaconId, trimId } from './check.js';
import { Listing, type SearchPage, type SearchPlace } from './listing.js';
import { BeaconReads, isInside } from './reads.js';
import { RecentTexts } from './recent-texts.js';
import { type Beacon, fromStored, toStored } from './schema.js';
import type {
  CreateOutcome,
  CreateRequest,
  ImportCounts,
  ImportRequest,
  ImportResult,
  RemoveBeaconRequest,
} from './writes.js';
import { changedBeacons } from './writes.js';

interface BeaconsDeps {
  store: Store;
  log: Log;
  pathLoss: () => PathLoss;
}

/** A page of beacons found by a search. */
export interface FoundBeacons extends Omit<SearchPage, 'jsons'> {
  beacons: Beacon[];
}

const MAX_IN_BOX = 10_000;

/** Reads run on the main thread; writes go through the store. */
export class Beacons {
  readonly listing: Listing;
  readonly #store: Store;
  readonly #log: Log;
  readonly #pathLoss: () => PathLoss;
  readonly #reads: BeaconReads;
  readonly #recent = new RecentTexts();
  readonly #stopListening: Cancel;
  readonly #isRegistered: IsRegistered = (id) => this.#read(id) !== undefined;

  constructor({ store, log, pathLoss }: BeaconsDeps) {
    this.#store = store;
    this.#log = log;
    this.#pathLoss = pathLoss;
    this.#reads = new BeaconReads(store.read);
    this.listing = new Listing(this.#reads);
    this.#stopListening = store.onCommit((commit) => this.#invalidate(commit));
  }

  close(): void {
    this.#stopListening();
  }

  /** Throws `NOT_FOUND`, or `INVALID_INPUT` if the ID is invalid. */
  json(id: unknown): string {
    const text = requireBeaconId(id, this.#isRegistered);
    const json = this.#read(text);
    if (json === undefined) throw notFound(text);
    return json;
  }

  cached(id: string): string | undefined {
    return this.#recent.get(id);
  }

  /** Ignores spaces around the ID. */
  find(id: string): Beacon | undefined {
    const json = this.#read(trimId(id, this.#isRegistered));
    return json === undefined ? undefined : fromStored(json);
  }

  /**
   * Resolves when the beacon is on disk; adding an identical beacon succeeds. Rejects with `INVALID_INPUT`,
   * with a store error, or with `CONFLICT` if `upsert` is false and a beacon with this ID has different
   * content.
   */
  async create(value: unknown, { upsert }: { upsert: boolean }): Promise<string> {
    const beacon = toStored(requireBeacon(value, this.#isRegistered));
    const request: CreateRequest = { ...beacon, upsert };
    const outcome = await this.#store.write<CreateOutcome>('beacons.create', request);
    if (outcome !== 'conflict') return beacon.json;
    throw new GatewayError('CONFLICT', beaconMessage('id-taken', { id: beacon.id }), {
      field: 'id',
      hint: 'Add ?upsert=true to replace the existing beacon.',
    });
  }

  /** Rejects with `INVALID_INPUT` if the body contains a different ID. */
  async put(id: string, value: unknown): Promise<string> {
    if (!isJsonObject(value)) throw invalidInput([{ path: '', message: beaconMessage('object') }]);
    const isOther = typeof value.id === 'string' ? value.id.trim() !== id.trim() : value.id !== undefined;
    if (isOther) {
      throw new GatewayError('INVALID_INPUT', 'the ID in the body differs from the ID in the path', {
        field: 'id',
      });
    }
    return await this.create({ ...value, id }, { upsert: true });
  }

  /** Replaces the beacon `current`. Rejects with `ETAG_MISMATCH` if it has been changed or deleted. */
  async replace(current: Beacon, value: unknown): Promise<string> {
    const beacon = toStored(requireBeacon(value, this.#isRegistered));
    const basis = toStored(current).json;
    const request: CreateRequest = { ...beacon, upsert: true, basis };
    const outcome = await this.#store.write<CreateOutcome>('beacons.create', request);
    if (outcome !== 'conflict') return beacon.json;
    throw new GatewayError('ETAG_MISMATCH', beaconMessage('changed', { id: current.id }), {
      hint: sharedMessage('fields-changed-hint'),
    });
  }

  /** Resolves with the deleted beacon's JSON. Rejects with `INVALID_INPUT`, `NOT_FOUND` or a store error. */
  async remove(id: unknown): Promise<string> {
    const text = requireBeaconId(id, this.#isRegistered);
    const request: RemoveBeaconRequest = { id: text };
    const json = await this.#store.write<string | null>('beacons.remove', request);
    if (json === null) throw notFound(text);
    return json;
  }

  /** Imports all rows in one transaction, or rejects with all errors and their row numbers. */
  async importMany(rows: readonly Candidate[], { upsert }: { upsert: boolean }): Promise<ImportCounts> {
    const beacons = await checkRows(rows, this.#isRegistered);
    const request: ImportRequest = { beacons: beacons.map(toStored), upsert };
    const result = await this.#store.write<ImportResult>('beacons.import', request);
    if ('conflicts' in result) throw conflictError(result.conflicts, rows);
    this.#log.info('beacons.imported', { ...result });
    return result;
  }

  near(place: LatLong, limit: number): string[] {
    return this.#reads.nearest(place, limit);
  }

  /**
   * Resolves with the beacons' JSON, in the order in which the positions were set. The box may cross the
   * antimeridian. Rejects with `RANGE` if the box contains more than 10,000 beacons.
   */
  async inBox(box: Box): Promise<string[]> {
    const places = this.#reads.placesInBox(box, MAX_IN_BOX + 1);
    if (places.length > MAX_IN_BOX) {
      const hint = 'Request a smaller box, or request all beacons.';
      throw new GatewayError('RANGE', `there are more than ${MAX_IN_BOX} beacons in the requested box`, {
        field: 'bbox',
        limit: MAX_IN_BOX,
        unit: 'beacons',
        hint,
      });
    }
    return await this.listing.at(places, (json) => isInside(box, fromStored(json)));
  }

  /** Resolves with the JSON of beacons whose ID is greater than `after`, sorted by ID. */
  page(after: string, limit: number): Promise<string[]> {
    return this.listing.page(after, limit);
  }

  /** See `Listing.search`. Spaces around the text are ignored. */
  async search(text: string, from: SearchPlace, limit: number): Promise<FoundBeacons> {
    const { jsons, ...rest } = await this.listing.search(text.trim(), from, limit);
    return { beacons: jsons.map(fromStored), ...rest };
  }

  /** Considers only the first 1000 beacons; undefined if none of them has a position. */
  southWest(): LatLong | undefined {
    return this.#reads.southWest();
  }

  observe(sightings: unknown): Observation {
    return observe(sightings, (id) => this.find(id), this.#pathLoss());
  }

  #read(id: string): string | undefined {
    const cached = this.#recent.get(id);
    if (cached !== undefined) return cached;
    const json = this.#reads.json(id);
    if (json !== undefined) this.#recent.set(id, json);
    return json;
  }

  /** Runs before the writes are acknowledged, so that later reads return current data. */
  #invalidate(commit: Commit): void {
    const changed = changedBeacons(commit);
    if (changed.length === 0) return;
    this.listing.invalidate();
    if (changed === 'all') this.#recent.clear();
    else for (const id of changed) this.#recent.delete(id);
  }
}

function notFound(id: string): GatewayError {
  return new GatewayError('NOT_FOUND', beaconMessage('unknown-id', { id }), { field: 'id' });
}

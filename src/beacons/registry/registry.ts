import { GatewayError } from '../../shared/errors.js';
import type { Cancel, Commit, Log, Store } from '../../shared/ports/ports.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { type Candidate, checkRows, inTheWay } from '../formats/import.js';
import { beaconMessage } from '../messages.js';
import type { LatLong } from '../positioning/geodesy.js';
import { observe } from '../positioning/locate.js';
import type { Observation } from '../positioning/observation.js';
import type { PathLoss } from '../positioning/ranging.js';
import type { Box } from './boxes.js';
import { invalid, requireBeacon, requireId } from './check.js';
import { changedBeacons } from './commits.js';
import { Listing } from './listing.js';
import { BeaconReads, isInside } from './reads.js';
import { RecentTexts } from './recent-texts.js';
import type { Beacon } from './schema.js';
import { fromStored, toStored } from './stored.js';
import type {
  CreateRequest,
  ImportCounts,
  ImportRequest,
  ImportResult,
  Outcome,
  RemoveRequest,
} from './writes.js';

interface BeaconsDeps {
  store: Store;
  log: Log;
  /** As the settings have it now. */
  pathLoss: () => PathLoss;
}

/** More beacons than this in one box are refused: the caller wants the whole list, or a smaller box. */
const MAX_BOX = 10_000;

/** The beacon registry: reads on this thread, writes through the store. */
export class Beacons {
  readonly listing: Listing;
  readonly #store: Store;
  readonly #log: Log;
  readonly #pathLoss: () => PathLoss;
  readonly #reads: BeaconReads;
  readonly #recent = new RecentTexts();
  readonly #stopListening: Cancel;

  constructor({ store, log, pathLoss }: BeaconsDeps) {
    this.#store = store;
    this.#log = log;
    this.#pathLoss = pathLoss;
    this.#reads = new BeaconReads(store.read);
    this.listing = new Listing(this.#reads);
    this.#stopListening = store.onCommit((commit) => this.#committed(commit));
  }

  close(): void {
    this.#stopListening();
  }

  /** The beacon as JSON. Throws `INVALID_INPUT` when `id` is none, and `NOT_FOUND`. */
  json(id: unknown): string {
    const text = requireId(id);
    const json = this.#read(text);
    if (json === undefined) throw unknown(text);
    return json;
  }

  /** The beacon as JSON, when it was read before and has not changed since. */
  ready(id: string): string | undefined {
    return this.#recent.get(id);
  }

  find(id: string): Beacon | undefined {
    const json = this.#read(id);
    return json === undefined ? undefined : fromStored(json);
  }

  /**
   * Adds a beacon; resolves with its JSON once it is durable. The same beacon again is no fault. Rejects with
   * `INVALID_INPUT`, with `CONFLICT` when the id is that of a beacon with other content and `upsert` is false, and as the
   * store does.
   */
  async create(value: unknown, { upsert }: { upsert: boolean }): Promise<string> {
    const beacon = toStored(requireBeacon(value));
    const request: CreateRequest = { ...beacon, upsert };
    const outcome = await this.#store.write<Outcome>('beacons.create', request);
    if (outcome !== 'conflict') return beacon.json;
    throw new GatewayError('CONFLICT', beaconMessage('id-taken', { id: beacon.id }), {
      field: 'id',
      hint: 'Add ?upsert=true to replace it.',
    });
  }

  /** Adds or replaces the beacon of the id; the value may repeat the id, but name no other. */
  async put(id: string, value: unknown): Promise<string> {
    if (!isJsonObject(value)) throw invalid([{ path: '', message: beaconMessage('object') }]);
    if (value.id !== undefined && value.id !== id) {
      throw new GatewayError('INVALID_INPUT', 'the id of the body is not that of the address', {
        field: 'id',
      });
    }
    return await this.create({ ...value, id }, { upsert: true });
  }

  /** Resolves with the JSON of the beacon as it was. Rejects with `INVALID_INPUT`, `NOT_FOUND`, and as the store does. */
  async remove(id: unknown): Promise<string> {
    const text = requireId(id);
    const request: RemoveRequest = { id: text };
    const json = await this.#store.write<string | null>('beacons.remove', request);
    if (json === null) throw unknown(text);
    return json;
  }

  /** All rows in one transaction, or none: rejects with every fault and its row. */
  async importMany(rows: readonly Candidate[], { upsert }: { upsert: boolean }): Promise<ImportCounts> {
    const beacons = await checkRows(rows);
    const request: ImportRequest = { beacons: beacons.map(toStored), upsert };
    const result = await this.#store.write<ImportResult>('beacons.import', request);
    if ('conflicts' in result) throw inTheWay(result.conflicts);
    this.#log.info('beacons.imported', { ...result });
    return result;
  }

  /** The JSON of at most `limit`, nearest first. */
  near(place: LatLong, limit: number): string[] {
    return this.#reads.nearest(place, limit);
  }

  /** The JSON of all in a box, those first that were placed first; its west may be east of its east. Rejects with `RANGE` when there are too many. */
  async inBox(box: Box): Promise<string[]> {
    const places = this.#reads.placesInBox(box, MAX_BOX + 1);
    if (places.length > MAX_BOX) {
      const hint = 'Ask for a smaller box, or for all beacons.';
      throw new GatewayError('RANGE', `there are more than ${MAX_BOX} beacons in this box`, {
        field: 'bbox',
        limit: MAX_BOX,
        unit: 'beacons',
        hint,
      });
    }
    return await this.listing.at(places, (json) => isInside(box, fromStored(json)));
  }

  /** The JSON of at most `limit` in the order of their ids, from the first one after `after`. */
  page(after: string, limit: number): Promise<string[]> {
    return this.listing.page(after, limit);
  }

  /** The same of those whose id begins with a text. */
  beginning(text: string, after: string, limit: number): Beacon[] {
    return this.#reads.beginning(text, after, limit).jsons.map(fromStored);
  }

  /** Distances and, if possible, the position of a receiver: see `observe`. */
  observe(sightings: unknown): Observation {
    return observe(sightings, (id) => this.find(id), this.#pathLoss());
  }

  #read(id: string): string | undefined {
    const ready = this.#recent.get(id);
    if (ready !== undefined) return ready;
    const json = this.#reads.json(id);
    if (json !== undefined) this.#recent.keep(id, json);
    return json;
  }

  /** Called before the callers of these writes get their answers, so that no later read can be older than one of them. */
  #committed(commit: Commit): void {
    const changed = changedBeacons(commit);
    if (changed.length === 0) return;
    this.listing.changed();
    if (changed === 'all') this.#recent.clear();
    else for (const id of changed) this.#recent.forget(id);
  }
}

function unknown(id: string): GatewayError {
  return new GatewayError('NOT_FOUND', beaconMessage('unknown-id', { id }), { field: 'id' });
}

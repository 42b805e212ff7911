import { createHash } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ReadDatabase, Statement } from '../../shared/ports/database.js';
import type { Commit, Store } from '../../shared/ports/store.js';
import { Signal } from '../../shared/signal.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { invalidMarker, validated } from '../invalid.js';
import { navigationMessage } from '../messages.js';
import type { Marker } from './model.js';
import { MAX_MARKER_ID, markerSchema } from './schema.js';
import { markerWrites, type RemoveMarkerRequest, type SaveOutcome, type SaveRequest } from './writes.js';

const ALL = 'SELECT id, json FROM markers ORDER BY id';

/** The table contains at most 587 markers. */
class MarkerReads {
  readonly #all: Statement<{ id: number; json: string }>;

  constructor(db: ReadDatabase) {
    this.#all = db.prepare(ALL);
  }

  /** Stored JSON is not validated again, because it was validated before it was stored. */
  all(): Map<number, Marker> {
    return new Map(this.#all.all({}).map(({ id, json }) => [id, JSON.parse(json) as Marker]));
  }
}

const check = checkerFor<Marker>(markerSchema);

/** The `If-Match` header of a request; undefined if the request has none. */
type IfMatch = string | undefined;

/** All markers are cached, because the family has only 587 markers. Writes go through the store. */
export class Markers {
  readonly #store: Store;
  readonly #reads: MarkerReads;
  readonly #stopListening: Cancel;
  readonly #changed = new Signal<[id: number]>();
  #all: ReadonlyMap<number, Marker> | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#reads = new MarkerReads(store.read);
    this.#stopListening = store.onCommit((commit) => this.#invalidate(commit));
  }

  /** Calls the listener when a marker has been added, changed or deleted. */
  readonly onChange = this.#changed.on.bind(this.#changed);

  close(): void {
    this.#stopListening();
  }

  /** Returns the markers in ascending order of ID. */
  list(): Marker[] {
    return [...this.#cached().values()];
  }

  find(id: number): Marker | undefined {
    return this.#cached().get(id);
  }

  /** Throws `NOT_FOUND` if the marker does not exist, or `INVALID_INPUT` if the text is not a valid marker ID. */
  require(idText: string): Marker {
    const marker = this.find(markerId(idText));
    if (!marker) throw unknownMarker(idText);
    return marker;
  }

  /** Resolves when the marker has been stored durably. Rejects with `INVALID_INPUT` or `CONFLICT`. */
  async create(value: unknown): Promise<Marker> {
    return await this.#save(requireMarker(value), 'new');
  }

  /** Adds or replaces a marker. Rejects with `INVALID_INPUT` or `ETAG_MISMATCH`. */
  async put(idText: string, value: unknown, ifMatch?: IfMatch): Promise<Marker> {
    const id = markerId(idText);
    if (!isJsonObject(value))
      throw invalidMarker([{ path: '', message: navigationMessage('object') }], markerSchema);
    if (value.id !== undefined && value.id !== id) {
      throw new GatewayError('INVALID_INPUT', navigationMessage('marker-id-differs'), { field: 'id' });
    }
    return await this.#save(requireMarker({ ...value, id }), this.#condition(id, ifMatch));
  }

  /** Resolves with the deleted marker. Rejects with `INVALID_INPUT`, `NOT_FOUND` or `ETAG_MISMATCH`. */
  async remove(idText: string, ifMatch?: IfMatch): Promise<Marker> {
    const marker = this.require(idText);
    const request: RemoveMarkerRequest = { id: marker.id, condition: this.#condition(marker.id, ifMatch) };
    const outcome = await this.#store.write<SaveOutcome>('markers.remove', request);
    if (outcome === 'missing') throw unknownMarker(idText);
    if (outcome === 'changed') throw changedMeanwhile(marker.id);
    return marker;
  }

  async #save(marker: Marker, condition: SaveRequest['condition']): Promise<Marker> {
    const { id } = marker;
    const request: SaveRequest = { id, json: JSON.stringify(marker), condition };
    const outcome = await this.#store.write<SaveOutcome>('markers.save', request);
    if (outcome === 'changed') throw changedMeanwhile(id);
    if (outcome !== 'exists') return marker;
    throw new GatewayError('CONFLICT', navigationMessage('marker-exists', { id }), {
      field: 'id',
      hint: navigationMessage('marker-exists-hint'),
    });
  }

  /** Throws `ETAG_MISMATCH` if the header does not match the stored marker. */
  #condition(id: number, ifMatch: IfMatch): 'any' | { json: string } {
    if (ifMatch === undefined) return 'any';
    const marker = this.find(id);
    const tags = ifMatch.split(',').map((tag) => tag.trim());
    if (!marker || !(tags.includes('*') || tags.includes(markersEtag(marker)))) throw changedMeanwhile(id);
    return { json: JSON.stringify(marker) };
  }

  #cached(): ReadonlyMap<number, Marker> {
    this.#all ??= this.#reads.all();
    return this.#all;
  }

  /** Runs before the writes are acknowledged, so that later reads return current data. */
  #invalidate({ writes }: Commit): void {
    const changed = writes.filter(({ name }) => Object.hasOwn(markerWrites, name));
    if (changed.length === 0) return;
    this.#all = undefined;
    for (const { args } of changed) this.#changed.emit((args as RemoveMarkerRequest).id);
  }
}

/** Returns the entity tag of a marker or of a list of markers. */
export function markersEtag(content: Marker | readonly Marker[]): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)}"`;
}

function markerId(text: string): number {
  const id = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (id <= MAX_MARKER_ID) return id;
  throw new GatewayError('INVALID_INPUT', navigationMessage('marker-id', { limit: MAX_MARKER_ID }), {
    field: 'id',
    limit: MAX_MARKER_ID,
  });
}

/** Fields in a fixed order, so that equal markers have the same JSON. */
function requireMarker(value: unknown): Marker {
  const { id, sizeMm, xMm, yMm, headingDeg, purpose } = validated(check, value, markerSchema);
  return { id, sizeMm, xMm, yMm, headingDeg, purpose };
}

function unknownMarker(id: string): GatewayError {
  return new GatewayError('NOT_FOUND', navigationMessage('unknown-marker', { id }), { field: 'id' });
}

function changedMeanwhile(id: number): GatewayError {
  return new GatewayError('ETAG_MISMATCH', navigationMessage('marker-changed', { id }), {
    hint: navigationMessage('marker-changed-hint'),
  });
}

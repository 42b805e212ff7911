import { createHash, randomBytes } from 'node:crypto';
import { type Encoding, jsonEncoding } from '../formats/formats.js';
import type { BeaconReads } from './reads.js';
import { fromStored } from './schema.js';

/** Beacons read and encoded in one event-loop iteration, which takes about 1 ms. */
const SLICE = 250;
/** Lists up to this length are cached in one buffer (2 MB); longer lists are read for every request. */
const MAX_CACHED = 10_000;

/**
 * Maximum number of beacons that one search reads in addition to those whose ID starts with the text. Reading them
 * takes 0.7 s of processor time on a desktop computer.
 */
const MAX_SEARCHED = 100_000;

/** Where the next page of a search starts. */
export interface SearchPlace {
  /** ID of the last beacon that was considered. */
  after: string;
  /** True if the beacons whose ID starts with the text have all been found. */
  isRest: boolean;
}

export interface SearchPage {
  jsons: string[];
  /** Undefined after the last page. */
  next?: SearchPlace;
  /** True if the page may be shorter than the limit, because not all beacons have been searched. */
  isPartial: boolean;
}

export interface CachedList {
  body: Buffer;
  etag: string;
}

/** Serves short lists from a cache; reads longer lists in slices that yield to the event loop. */
export class Listing {
  readonly #reads: BeaconReads;
  readonly #maxCached: number;
  readonly #maxSearched: number;
  readonly #yield = new EventLoopYield();
  readonly #boot = randomBytes(6).toString('base64url');
  #version = 0;
  #cached: CachedList | undefined;
  #building: Promise<CachedList | undefined> | undefined;

  constructor(reads: BeaconReads, { maxCached = MAX_CACHED, maxSearched = MAX_SEARCHED } = {}) {
    this.#reads = reads;
    this.#maxCached = maxCached;
    this.#maxSearched = maxSearched;
  }

  /** Discards the cached list. Called after beacons have been written. */
  invalidate(): void {
    this.#version += 1;
    this.#cached = undefined;
    // A client that knows about a change must not receive a list whose construction began before the change.
    this.#building = undefined;
  }

  /** Changes with every commit and every restart; used in weak ETags. */
  get version(): string {
    return `${this.#boot}.${this.#version}`;
  }

  get cached(): CachedList | undefined {
    return this.#cached;
  }

  /** Resolves with undefined if the list is too long to cache. */
  async whole(): Promise<CachedList | undefined> {
    this.#building ??= this.#build();
    const building = this.#building;
    try {
      return await building;
    } catch (error) {
      if (this.#building === building) this.#building = undefined;
      throw error;
    }
  }

  /** Yields the beacons sorted by ID; may include beacons that are written during the iteration. */
  async *all({ head, between, tail, one }: Encoding): AsyncGenerator<string> {
    let separator = head;
    for (
      let page = this.#reads.page('', SLICE);
      page.jsons.length > 0;
      page = this.#reads.page(page.last, SLICE)
    ) {
      yield separator + page.jsons.map(one).join(between);
      separator = between;
      await this.#yield.next();
    }
    yield separator === head ? head + tail : tail;
  }

  /** Resolves with beacons whose ID is greater than `after`, sorted by ID and read in slices. */
  async page(after: string, limit: number): Promise<string[]> {
    const found: string[] = [];
    let from = after;
    for (;;) {
      const size = Math.min(SLICE, limit - found.length);
      const { jsons, last } = this.#reads.page(from, size);
      found.push(...jsons);
      if (jsons.length < size || found.length >= limit) return found;
      from = last;
      await this.#yield.next();
    }
  }

  /**
   * Resolves first with the beacons whose ID starts with the text, using an index, and then with all other
   * beacons whose ID and description contain each word of the text, ignoring case. Both groups are sorted by
   * ID. The second group is read in slices.
   */
  async search(text: string, { after, isRest }: SearchPlace, limit: number): Promise<SearchPage> {
    const found: string[] = [];
    let from = after;
    if (!isRest || text === '') {
      const jsons = this.#reads.withIdPrefix(text, after, limit + 1).jsons;
      const last = jsons.length > limit ? jsons[limit - 1] : undefined;
      if (last !== undefined) {
        const next = { after: fromStored(last).id, isRest: false };
        return { jsons: jsons.slice(0, limit), next, isPartial: false };
      }
      found.push(...jsons);
      from = '';
    }
    if (text === '') return { jsons: found, isPartial: false };
    const words = foldedText(text).split(' ');
    for (let read = 0; read < this.#maxSearched; read += SLICE) {
      const { jsons, last } = this.#reads.page(from, SLICE);
      for (const json of jsons) {
        const { id, description } = fromStored(json);
        const searched = foldedText(`${id} ${description}`);
        if (!id.startsWith(text) && words.every((word) => searched.includes(word))) {
          if (found.length === limit)
            return { jsons: found, next: { after: from, isRest: true }, isPartial: false };
          found.push(json);
        }
        from = id;
      }
      if (jsons.length < SLICE) return { jsons: found, isPartial: false };
      from = last;
      await this.#yield.next();
    }
    return { jsons: found, next: { after: from, isRest: true }, isPartial: true };
  }

  async encoded(jsons: readonly string[], { head, between, tail, one }: Encoding): Promise<Buffer> {
    const parts: string[] = [];
    for (let from = 0; from < jsons.length; from += SLICE) {
      if (from > 0) await this.#yield.next();
      parts.push(
        jsons
          .slice(from, from + SLICE)
          .map(one)
          .join(between),
      );
    }
    return Buffer.from(head + parts.join(between) + tail);
  }

  /** Resolves with the beacons at these index rows that `isWanted` accepts, read in slices. */
  async at(places: readonly number[], isWanted: (json: string) => boolean): Promise<string[]> {
    const found: string[] = [];
    for (let from = 0; from < places.length; from += SLICE) {
      if (from > 0) await this.#yield.next();
      for (const place of places.slice(from, from + SLICE)) {
        const json = this.#reads.atPlace(place);
        if (json !== undefined && isWanted(json)) found.push(json);
      }
    }
    return found;
  }

  async #build(): Promise<CachedList | undefined> {
    const version = this.#version;
    if (this.#reads.hasMoreThan(this.#maxCached)) return undefined;
    const parts: Buffer[] = [];
    const hash = createHash('sha256');
    for await (const slice of this.all(jsonEncoding)) {
      const part = Buffer.from(slice);
      hash.update(part);
      parts.push(part);
    }
    const etag = `"${hash.digest('base64url').slice(0, 22)}"`;
    const list = { body: Buffer.concat(parts), etag };
    if (version === this.#version) this.#cached = list;
    return list;
  }
}

/**
 * Returns a text for comparisons: upper and lower case, and composed and decomposed letters, become equal, and white
 * space becomes single spaces.
 */
function foldedText(text: string): string {
  return text.normalize('NFC').toLowerCase().trim().replace(/\s+/g, ' ');
}

/** Resumes one task per event-loop iteration, so that long responses do not block the event loop. */
class EventLoopYield {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#wake();
    });
  }

  #wake(): void {
    setImmediate(() => {
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#wake();
    });
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { type Encoding, jsonEncoding } from '../formats/formats.js';
import type { BeaconReads } from './reads.js';

/** Beacons read and encoded in one event-loop iteration, which takes about 1 ms. */
const SLICE = 250;
/** Lists up to this length are cached in one buffer (2 MB); longer lists are read for every request. */
const MAX_CACHED = 10_000;

export interface CachedList {
  body: Buffer;
  etag: string;
}

/** Serves short lists from a cache; reads longer lists in slices that yield to the event loop. */
export class Listing {
  readonly #reads: BeaconReads;
  readonly #maxCached: number;
  readonly #yield = new EventLoopYield();
  readonly #boot = randomBytes(6).toString('base64url');
  #version = 0;
  #cached: CachedList | undefined;
  #building: Promise<CachedList | undefined> | undefined;

  constructor(reads: BeaconReads, maxCached = MAX_CACHED) {
    this.#reads = reads;
    this.#maxCached = maxCached;
  }

  /** Called after beacons have been written. */
  invalidate(): void {
    this.#version += 1;
    this.#cached = undefined;
    // A client that knows about a change must not receive a list that was started before the change.
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

import { createHash, randomBytes } from 'node:crypto';
import { type Encoding, jsonEncoding } from '../formats/formats.js';
import { Pace } from './event-loop-yield.js';
import type { BeaconReads } from './reads.js';

/** Beacons read and encoded in one turn of the event loop: about 1 ms. */
const SLICE = 250;
/** Up to so many beacons the whole list is kept ready as one buffer (2 MB); beyond, it is read anew for every caller. */
const MAX_KEPT = 10_000;

/** The answer to `GET /beacons`, whole. */
export interface ReadyList {
  body: Buffer;
  /** Of the content, quotes included. */
  etag: string;
}

/** Long lists of beacons: cached while they are short enough, else in slices that let everybody else have a turn. */
export class Listing {
  readonly #reads: BeaconReads;
  readonly #keptMost: number;
  readonly #pace = new Pace();
  readonly #boot = randomBytes(6).toString('base64url');
  #version = 0;
  #ready: ReadyList | undefined;
  #building: Promise<ReadyList | undefined> | undefined;

  constructor(reads: BeaconReads, keptMost = MAX_KEPT) {
    this.#reads = reads;
    this.#keptMost = keptMost;
  }

  /** Something was committed: what is ready, or being made ready, is out of date. */
  changed(): void {
    this.#version += 1;
    this.#ready = undefined;
    // Whoever asks from now on may know of the change, so must not be given what was begun before it.
    this.#building = undefined;
  }

  /** Changes with every commit and every start: the (weak) validator of whatever is read from the registry. */
  get version(): string {
    return `${this.#boot}.${this.#version}`;
  }

  /** The whole list if it is at hand. */
  get ready(): ReadyList | undefined {
    return this.#ready;
  }

  /** The whole list, made ready when it is not; undefined when there are too many beacons for that. */
  async whole(): Promise<ReadyList | undefined> {
    this.#building ??= this.#build();
    return await this.#building;
  }

  /** All beacons in the order of their ids. What is written meanwhile may or may not be among them. */
  async *all({ head, between, tail, one }: Encoding): AsyncGenerator<string> {
    let separator = head;
    for (
      let page = this.#reads.page('', SLICE);
      page.jsons.length > 0;
      page = this.#reads.page(page.last, SLICE)
    ) {
      yield separator + page.jsons.map(one).join(between);
      separator = between;
      await this.#pace.turn();
    }
    yield separator === head ? head + tail : tail;
  }

  /** At most `limit` beacons in the order of their ids, from the first one after `after`, read in slices. */
  async page(after: string, limit: number): Promise<string[]> {
    const found: string[] = [];
    let from = after;
    for (;;) {
      const most = Math.min(SLICE, limit - found.length);
      const { jsons, last } = this.#reads.page(from, most);
      found.push(...jsons);
      if (jsons.length < most || found.length >= limit) return found;
      from = last;
      await this.#pace.turn();
    }
  }

  /** Beacons, given as JSON, as the body of an answer; encoded in slices. */
  async encoded(jsons: readonly string[], { head, between, tail, one }: Encoding): Promise<Buffer> {
    const parts: string[] = [];
    for (let from = 0; from < jsons.length; from += SLICE) {
      if (from > 0) await this.#pace.turn();
      parts.push(
        jsons
          .slice(from, from + SLICE)
          .map(one)
          .join(between),
      );
    }
    return Buffer.from(head + parts.join(between) + tail);
  }

  /** The JSON of the beacons at the given places, those for which `isWanted` holds, read in slices. */
  async at(places: readonly number[], isWanted: (json: string) => boolean): Promise<string[]> {
    const found: string[] = [];
    for (let from = 0; from < places.length; from += SLICE) {
      if (from > 0) await this.#pace.turn();
      for (const place of places.slice(from, from + SLICE)) {
        const json = this.#reads.atPlace(place);
        if (json !== undefined && isWanted(json)) found.push(json);
      }
    }
    return found;
  }

  async #build(): Promise<ReadyList | undefined> {
    const version = this.#version;
    if (this.#reads.hasMoreThan(this.#keptMost)) return undefined;
    const parts: Buffer[] = [];
    const hash = createHash('sha256');
    for await (const slice of this.all(jsonEncoding)) {
      const part = Buffer.from(slice);
      hash.update(part);
      parts.push(part);
    }
    const etag = `"${hash.digest('base64url').slice(0, 22)}"`;
    const list = { body: Buffer.concat(parts), etag };
    if (version === this.#version) this.#ready = list;
    return list;
  }
}

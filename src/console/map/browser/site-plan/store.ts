import type { SitePlanState } from '../../../../carts/pure.js';
import type { Place, ReviewReason, Zone } from '../../../../site/pure.js';
import { type Reply, send } from '../../../browser/post.js';

export interface SitePlanData extends SitePlanState {
  zones: readonly Zone[];
  places: readonly Place[];
  reviewReason: ReviewReason | null;
  etag: string;
}

export type List = 'zones' | 'places';

const GEOJSON = 'application/geo+json';
const TIMEOUT_MS = 20_000;
const MAX_ATTEMPTS = 3;

/** The zones and places as the gateway last returned them. */
export class SitePlanStore {
  readonly #onChange: () => void;
  #current: SitePlanData;
  /** False if the last attempt to load the current version failed. */
  #isLoaded = true;
  #loading: Promise<void> | undefined;

  /** @param served the version that was served with the page */
  constructor(served: SitePlanData, onChange: () => void) {
    this.#current = served;
    this.#onChange = onChange;
  }

  get current(): SitePlanData {
    return this.#current;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Loads the current version. Never rejects. */
  load(): Promise<void> {
    // A change during a request may not be in its response, so the next request follows it.
    this.#loading = (this.#loading ?? Promise.resolve()).then(() => this.#load());
    return this.#loading;
  }

  async #load(): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const options = { timeoutMs: TIMEOUT_MS };
      const headers = { 'if-none-match': this.#current.etag };
      const zones = await send('GET', '/zones', { ...options, headers });
      if (zones.status === 304 && this.#isLoaded) return;
      if (zones.status === 304) return this.#loaded(this.#current);
      const places = await send('GET', '/places', options);
      if (!zones.ok || !places.ok) break;
      if (zones.etag !== places.etag) continue;
      const plan = { ...(zones.body as SitePlanData), ...(places.body as SitePlanData), etag: zones.etag };
      return this.#loaded(plan);
    }
    this.#isLoaded = false;
    this.#onChange();
  }

  /**
   * @param content the items, or a GeoJSON file
   * @param basis the `etag` of the version that the user has seen
   */
  async put(list: List, content: readonly (Zone | Place)[] | Blob, basis: string): Promise<Reply> {
    const options = { timeoutMs: TIMEOUT_MS, headers: { 'if-match': basis } };
    const body = content instanceof Blob ? new Blob([content], { type: GEOJSON }) : { [list]: content };
    return this.#taken(await send('PUT', `/${list}`, options, body));
  }

  /** Returns a list as a GeoJSON file; undefined if the request fails. */
  async exportFile(list: List): Promise<Blob | undefined> {
    try {
      const answer = await fetch(`/${list}`, { headers: { accept: GEOJSON }, cache: 'no-store' });
      return answer.ok ? await answer.blob() : undefined;
    } catch {
      return undefined;
    }
  }

  async confirm(): Promise<Reply> {
    const options = { timeoutMs: TIMEOUT_MS, headers: { 'if-match': this.#current.etag } };
    return this.#taken(await send('POST', '/site-plan/confirm', options));
  }

  #taken(reply: Reply): Reply {
    if (reply.ok) this.#loaded({ ...this.#current, ...(reply.body as object), etag: reply.etag });
    return reply;
  }

  #loaded(plan: SitePlanData): void {
    this.#isLoaded = true;
    this.#current = plan;
    this.#onChange();
  }
}

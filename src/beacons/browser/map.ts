import { find, say } from '../../web/browser/dom.js';
import type { PlanView } from '../floor-plan/schema.js';
import type { Beacon } from '../registry/schema.js';
import { PlanLayer } from './floor-plan-layer.js';
import { Grid } from './grid.js';
import { L, type Leaflet } from './leaflet.js';
import { BEACON_TEXTS } from './texts.js';

const MAX_ZOOM = 25;
/** Tile servers have no closer pictures; the closest ones are enlarged. */
const MAX_TILE_ZOOM = 19;
/** Close enough to see one beacon among its neighbours: about 4 cm a pixel. */
const ZOOM_ONE = 21;

/** A beacon with a place. */
type Placed = Beacon & { lat: number; long: number };

/** The map: ground (tiles, plan or grid), beacons and what others draw on it. */
export class BeaconMap {
  readonly map: Leaflet.Map;
  readonly #box: HTMLElement;
  readonly #plan: PlanLayer;
  readonly #grid: Grid;
  readonly #dots = L.featureGroup();
  readonly #renderer = L.canvas({ padding: 0.2 });
  readonly #places = new Map<string, Leaflet.LatLngTuple>();
  readonly #hasTiles: boolean;
  #marks = new Map<string, Leaflet.CircleMarker>();
  #wasFitted = false;
  #squareM = 1;
  readonly #tag = L.tooltip({ permanent: true, direction: 'top', offset: [0, -8] });
  #pick: ((at: Leaflet.LatLng) => void) | undefined;

  constructor(box: HTMLElement) {
    this.#box = box;
    const { tiles = '' } = box.dataset;
    this.#hasTiles = tiles !== '';
    // Nothing flies or fades: it moves only to show a change.
    const still = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false };
    const bare = { zoomControl: false, attributionControl: false };
    this.map = L.map(box, { ...still, ...bare, maxZoom: MAX_ZOOM, zoomSnap: 0.5 });
    L.control.zoom({ zoomInTitle: BEACON_TEXTS.zoomIn, zoomOutTitle: BEACON_TEXTS.zoomOut }).addTo(this.map);
    this.map.setView([0, 0], 2);
    L.control.scale({ imperial: false }).addTo(this.map);
    if (this.#hasTiles)
      L.tileLayer(tiles, { maxZoom: MAX_ZOOM, maxNativeZoom: MAX_TILE_ZOOM }).addTo(this.map);
    this.#plan = new PlanLayer(this.map);
    this.#grid = new Grid(this.map, (squareM) => {
      this.#squareM = squareM;
      this.#notify();
    });
    this.#grid.show(!this.#hasTiles);
    this.#dots.bindTooltip((layer) => nameTag(layer), { sticky: true });
    this.#dots.addTo(this.map);
    this.map.on('click', ({ latlng }) => this.#picked(latlng));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
  }

  /** Draws these beacons instead of those before. */
  show(beacons: readonly Beacon[]): void {
    this.#places.clear();
    this.#marks.clear();
    this.#dots.clearLayers();
    for (const beacon of beacons) if (isPlaced(beacon)) this.#add(beacon);
    this.#paint();
    if (!this.#wasFitted) this.fit();
    this.#notify();
  }

  showPlan(plan: PlanView | null): void {
    this.#plan.show(plan);
    const isDrawn = this.#plan.corners.length > 0;
    this.#box.dataset.plan = isDrawn ? 'placed' : '';
    this.#grid.show(!isDrawn && !this.#hasTiles);
    this.fit();
    this.#notify();
  }

  placeOf(id: string): Leaflet.LatLngTuple | undefined {
    return this.#places.get(id);
  }

  /** Puts everything in view. */
  fit(): void {
    const all = [...this.#places.values(), ...this.#plan.corners];
    if (all.length === 0) return;
    this.#wasFitted = true;
    this.map.fitBounds(L.latLngBounds(all).pad(0.05), { maxZoom: ZOOM_ONE, animate: false });
  }

  /** Shows one beacon, with its name. */
  focus(id: string): void {
    const place = this.#places.get(id);
    if (!place) return;
    this.map.setView(place, Math.max(ZOOM_ONE, this.map.getZoom()), { animate: false });
    const mark = this.#marks.get(id);
    if (mark) this.#tag.setLatLng(place).setContent(nameTag(mark)).openOn(this.map);
    this.#box.scrollIntoView({ block: 'nearest' });
  }

  /** The next touch on the map is given to `taken` instead of being looked at. */
  pick(taken: ((at: Leaflet.LatLng) => void) | undefined): void {
    this.#pick = taken;
    this.#box.toggleAttribute('data-picking', taken !== undefined);
    this.#notify();
  }

  /** Those that some cart hears are filled. */
  markHeard(ids: ReadonlySet<string>): void {
    for (const [id, mark] of this.#marks) {
      const isHeard = ids.has(id);
      if (Reflect.get(mark.options, 'isHeard') === isHeard) continue;
      mark.setStyle({ isHeard, fillColor: this.#colour(isHeard ? '--accent' : '--surface-1') } as object);
    }
  }

  #add(beacon: Placed): void {
    const { id, description, lat, long } = beacon;
    const title = description ? `${id} – ${description}` : id;
    const options = { renderer: this.#renderer, radius: 5, weight: 2, fillOpacity: 1, title, isHeard: false };
    const mark = L.circleMarker([lat, long], options);
    this.#places.set(id, [lat, long]);
    this.#marks.set(id, mark);
    mark.on('click', ({ latlng }) => this.#picked(latlng)).addTo(this.#dots);
  }

  /** Canvas knows no stylesheet: the colours are read from the page's. */
  #paint(): void {
    const [line, fill, heard] = ['--text-2', '--surface-1', '--accent'].map((name) => this.#colour(name));
    for (const mark of this.#marks.values()) {
      const isHeard = Reflect.get(mark.options, 'isHeard') === true;
      mark.setStyle({ color: line ?? '', fillColor: (isHeard ? heard : fill) ?? '' });
    }
  }

  #colour(name: string): string {
    return getComputedStyle(this.#box).getPropertyValue(name).trim();
  }

  #picked(at: Leaflet.LatLng): void {
    const taken = this.#pick;
    this.pick(undefined);
    taken?.(at);
  }

  /** The line under the map. */
  #notify(): void {
    say(find('[data-map-words]'), this.#words());
  }

  #words(): string {
    if (this.#pick) return BEACON_TEXTS.picking;
    const isPlanned = this.#plan.corners.length > 0;
    if (this.#places.size === 0 && !isPlanned) return BEACON_TEXTS.noPlace;
    return isPlanned || this.#hasTiles ? BEACON_TEXTS.onPlan : BEACON_TEXTS.square(this.#squareM);
  }
}

/** Text, never markup: people type what is in it. */
function nameTag(layer: Leaflet.Layer): HTMLElement {
  const text = String(Reflect.get(layer.options, 'title'));
  return Object.assign(document.createElement('span'), { textContent: text });
}

function isPlaced(beacon: Beacon): beacon is Placed {
  return beacon.lat !== undefined && beacon.long !== undefined;
}

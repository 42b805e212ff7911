import * as L from 'leaflet';
import type { Beacon } from '../../../beacons/pure.js';
import { isUnlocated, type LatLong, onSite, type PlanView } from '../../../plan/pure.js';
import { find, showText } from '../../browser/dom.js';
import type { CartTrack } from './cart-positions.js';
import { PlanLayer } from './floor-plan/layer.js';
import { Grid } from './grid.js';
import { LabelLayer } from './labels.js';
import { BEACON_TEXTS } from './texts.js';

const MAX_ZOOM = 25;
/** Highest zoom level of the tile servers; at higher zoom levels, the map enlarges the tiles. */
const MAX_TILE_ZOOM = 19;
/** About 4 cm per pixel, enough to separate neighbouring beacons. */
const ZOOM_ONE = 21;

/** Half the size of a cart's symbol and of the cross at the origin. */
const COVERED_PX = 30;

type PlacedBeacon = Beacon & { lat: number; long: number };

const ORIGIN = {
  icon: L.divIcon({ className: 'map-origin', iconSize: [24, 24] }),
  keyboard: false,
  interactive: false,
};

export class BeaconMap {
  readonly map: L.Map;
  readonly #box: HTMLElement;
  readonly #plan: PlanLayer;
  readonly #grid: Grid;
  readonly #labels: LabelLayer;
  readonly #dots = L.featureGroup();
  readonly #renderer = L.canvas({ padding: 0.2 });
  readonly #positions = new Map<string, L.LatLngTuple>();
  readonly #hasTiles: boolean;
  #marks = new Map<string, L.CircleMarker>();
  #carts: readonly CartTrack[] = [];
  readonly #origin: L.Marker;
  #wasFitted = false;
  /** False until the beacons have been loaded, which takes longer than loading the floor plan. */
  #hasBeacons = false;
  #squareM = 1;
  readonly #tag = L.tooltip({ permanent: true, direction: 'top', offset: [0, -8] });
  #pick: ((at: L.LatLng) => void) | undefined;
  #onTap: (at: L.LatLng) => void = () => undefined;
  #capture: ((at: L.LatLng) => void) | undefined;

  /** @param origin centre of the map until there is a beacon or a floor plan. */
  constructor(box: HTMLElement, origin: LatLong) {
    this.#box = box;
    const { tiles = '' } = box.dataset;
    this.#hasTiles = tiles !== '';
    // All animations are off, so that the map moves only when data changes.
    const still = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: false };
    const bare = { zoomControl: false, attributionControl: false };
    this.map = L.map(box, { ...still, ...bare, maxZoom: MAX_ZOOM, zoomSnap: 0.25 });
    L.control.zoom({ zoomInTitle: BEACON_TEXTS.zoomIn, zoomOutTitle: BEACON_TEXTS.zoomOut }).addTo(this.map);
    this.map.setView([origin.lat, origin.long], ZOOM_ONE);
    this.#origin = L.marker([origin.lat, origin.long], ORIGIN).addTo(this.map);
    L.control.scale({ imperial: false }).addTo(this.map);
    if (this.#hasTiles)
      L.tileLayer(tiles, { maxZoom: MAX_ZOOM, maxNativeZoom: MAX_TILE_ZOOM }).addTo(this.map);
    this.#plan = new PlanLayer(this.map);
    this.#grid = new Grid(this.map, origin, (squareM) => {
      this.#squareM = squareM;
      this.#notify();
    });
    this.#showGrid();
    this.#labels = new LabelLayer(this.map);
    this.#dots.bindTooltip((layer) => nameTag(layer), { sticky: true });
    this.#dots.addTo(this.map);
    this.map.on('zoomend', () => this.#drawOrigin());
    this.map.on('click', ({ latlng }) => this.#tapped(latlng, this.#onTap));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
  }

  show(beacons: readonly Beacon[]): void {
    this.#positions.clear();
    this.#marks.clear();
    this.#dots.clearLayers();
    for (const beacon of beacons) if (isPlaced(beacon)) this.#add(beacon);
    this.#paint();
    this.#labels.show(this.#positions);
    this.#showGrid();
    if (!this.#wasFitted || !this.#hasBeacons) this.#fitFirst();
    this.#hasBeacons = true;
    this.#notify();
  }

  showPlan(plan: PlanView | null): void {
    this.#plan.show(plan);
    this.#box.dataset.plan = this.#plan.corners.length > 0 ? 'placed' : '';
    this.#showGrid();
    this.#fitFirst();
    this.#notify();
  }

  setOrigin({ lat, long }: LatLong): void {
    this.#origin.setLatLng([lat, long]);
    this.#drawOrigin();
    this.#grid.anchor({ lat, long });
    if (this.isEmpty) this.map.setView([lat, long], this.map.getZoom(), { animate: false });
  }

  /** True if there is neither a floor plan nor a beacon with a position. */
  get isEmpty(): boolean {
    return this.#positions.size === 0 && this.#plan.corners.length === 0;
  }

  /** True if positions on the map are known only in metres. */
  get isUnlocated(): boolean {
    const { lat, lng } = this.#origin.getLatLng();
    return this.#plan.corners.length === 0 && isUnlocated({ lat, long: lng });
  }

  /** Sets the carts that `fit` includes. */
  setCarts(carts: readonly CartTrack[]): void {
    this.#carts = carts;
    this.#drawOrigin();
  }

  /** Hides the cross at the origin while a cart's symbol covers it. */
  #drawOrigin(): void {
    const at = this.map.latLngToLayerPoint(this.#origin.getLatLng());
    const isCovered = this.#carts.some(
      ({ position }) =>
        position && this.map.latLngToLayerPoint([position.lat, position.long]).distanceTo(at) < COVERED_PX,
    );
    this.#origin.setOpacity(isCovered ? 0 : 1);
  }

  positionOf(id: string): L.LatLngTuple | undefined {
    return this.#positions.get(id);
  }

  /** Shows the floor plan or, if there is no floor plan, everything on the site. */
  #fitFirst(): void {
    const { corners } = this.#plan;
    if (corners.length === 0) return this.fit();
    this.#wasFitted = true;
    this.map.fitBounds(L.latLngBounds(corners).pad(0.05), { animate: false });
  }

  /** Shows the floor plan and everything on the site, see `onSite`. */
  fit(): void {
    if (this.isEmpty) return;
    this.#wasFitted = true;
    const { corners } = this.#plan;
    const placed = this.#placed();
    for (const { position, isAssumed } of this.#carts) {
      // An assumed position is outdated when the map has a geographic position.
      if (position && (!isAssumed || this.isUnlocated)) placed.push(position);
    }
    const shown = onSite(placed, this.#centreOfPlan()).map(({ lat, long }): L.LatLngTuple => [lat, long]);
    const bounds = L.latLngBounds([...shown, ...corners]).pad(0.05);
    this.map.fitBounds(bounds, { maxZoom: ZOOM_ONE, animate: false });
  }

  /** The number of beacons that `fit` leaves out because they are far from the site. */
  get farCount(): number {
    const placed = this.#placed();
    return placed.length - onSite(placed, this.#centreOfPlan()).length;
  }

  #placed(): LatLong[] {
    return [...this.#positions.values()].map(([lat, long]) => ({ lat, long }));
  }

  #centreOfPlan(): LatLong | undefined {
    const { corners } = this.#plan;
    if (corners.length === 0) return undefined;
    const { lat, lng } = L.latLngBounds(corners).getCenter();
    return { lat, long: lng };
  }

  /** Shows the site if this beacon is outside the map, or the beacon if it is not on the site. */
  reveal(id: string): void {
    const position = this.#positions.get(id);
    if (!position || this.map.getBounds().contains(position)) return;
    this.fit();
    if (!this.map.getBounds().contains(position)) this.focus(id);
  }

  focus(id: string): void {
    const position = this.#positions.get(id);
    if (!position) return;
    this.map.setView(position, Math.max(ZOOM_ONE, this.map.getZoom()), { animate: false });
    const mark = this.#marks.get(id);
    if (mark) this.#tag.setLatLng(position).setContent(nameTag(mark)).openOn(this.map);
    this.#box.scrollIntoView({ block: 'nearest' });
  }

  /** Passes the next point that the operator taps on the map to `onPick`. */
  pick(onPick: ((at: L.LatLng) => void) | undefined): void {
    this.#pick = onPick;
    this.#box.toggleAttribute('data-picking', onPick !== undefined);
    this.#notify();
  }

  /**
   * Passes every tap to the listener, so that the map neither selects positions nor previews drives; undefined ends
   * this mode.
   */
  capture(listener: ((at: L.LatLng) => void) | undefined): void {
    this.pick(undefined);
    this.#capture = listener;
    this.#box.toggleAttribute('data-editing', listener !== undefined);
  }

  get isCaptured(): boolean {
    return this.#capture !== undefined;
  }

  /** Calls the listener for each tap that does not hit a beacon, unless a position is being selected. */
  onTap(listener: (at: L.LatLng) => void): void {
    this.#onTap = listener;
    // On touchscreens, two taps in quick succession would zoom, even at different points.
    this.map.doubleClickZoom.disable();
  }

  get metresPerPx(): number {
    const { x, y } = this.map.getSize().divideBy(2);
    const [from, to] = [x, x + 100].map((across) => this.map.containerPointToLatLng([across, y]));
    return from && to ? this.map.distance(from, to) / 100 : Number.POSITIVE_INFINITY;
  }

  markReceived(ids: ReadonlySet<string>): void {
    for (const [id, mark] of this.#marks) {
      const isReceived = ids.has(id);
      if (Reflect.get(mark.options, 'isReceived') === isReceived) continue;
      const fillColor = this.#colour(isReceived ? '--accent' : '--surface-1');
      mark.setStyle({ isReceived, fillColor } as object);
    }
  }

  /**
   * Shows the grid if the map is empty, because its geographic position is then unknown, or if it has neither a floor
   * plan nor tiles.
   */
  #showGrid(): void {
    const hasPlan = this.#plan.corners.length > 0;
    this.#grid.show(this.isEmpty || (!hasPlan && !this.#hasTiles));
    this.#box.toggleAttribute('data-empty', this.isEmpty);
  }

  #add(beacon: PlacedBeacon): void {
    const { id, description, lat, long } = beacon;
    const title = description ? `${id} – ${description}` : id;
    const options = {
      renderer: this.#renderer,
      radius: 5,
      weight: 2,
      fillOpacity: 1,
      title,
      isReceived: false,
      // A click on a beacon is not a tap on the map.
      bubblingMouseEvents: false,
    };
    const mark = L.circleMarker([lat, long], options);
    this.#positions.set(id, [lat, long]);
    this.#marks.set(id, mark);
    mark.on('click', ({ latlng }) => this.#tapped(latlng, () => undefined)).addTo(this.#dots);
  }

  /** Reads the colours from CSS variables, because style sheets do not apply to a canvas. */
  #paint(): void {
    const [line, fill, received] = ['--text-2', '--surface-1', '--accent'].map((name) => this.#colour(name));
    for (const mark of this.#marks.values()) {
      const isReceived = Reflect.get(mark.options, 'isReceived') === true;
      mark.setStyle({ color: line ?? '', fillColor: (isReceived ? received : fill) ?? '' });
    }
  }

  #colour(name: string): string {
    return getComputedStyle(this.#box).getPropertyValue(name).trim();
  }

  #tapped(at: L.LatLng, otherwise: (at: L.LatLng) => void): void {
    const onPick = this.#pick;
    if (!onPick) return (this.#capture ?? otherwise)(at);
    this.pick(undefined);
    onPick(at);
  }

  #notify(): void {
    showText(find('[data-map-words]'), this.#statusText());
  }

  #statusText(): string {
    if (this.#pick) return BEACON_TEXTS.picking;
    if (this.isEmpty) return BEACON_TEXTS.noPositions(this.#squareM);
    const hasPlan = this.#plan.corners.length > 0;
    const text = hasPlan || this.#hasTiles ? BEACON_TEXTS.northUp : BEACON_TEXTS.square(this.#squareM);
    return this.isUnlocated ? `${text} ${BEACON_TEXTS.assumedStart}` : text;
  }
}

/** Returns a layer's name tag. The description is user input, so it is set as text, not as HTML. */
function nameTag(layer: L.Layer): HTMLElement {
  const text = String(Reflect.get(layer.options, 'title'));
  return Object.assign(document.createElement('span'), { textContent: text });
}

function isPlaced(beacon: Beacon): beacon is PlacedBeacon {
  return beacon.lat !== undefined && beacon.long !== undefined;
}

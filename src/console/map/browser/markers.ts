import * as L from 'leaflet';
import type { PlanFrame } from '../../../plan/pure.js';
import { find, showText, svg } from '../../browser/dom.js';
import { BEACON_TEXTS } from './texts.js';

/** A printed marker, as the gateway returns it. */
interface MapMarker {
  id: number;
  xMm: number;
  yMm: number;
  headingDeg: number;
}

/** Draws the printed markers. Operators can move them. */
export class MarkerLayer {
  readonly #map: L.Map;
  readonly #frame: () => PlanFrame;
  readonly #isChangeable: boolean;
  readonly #marks = L.layerGroup();
  #markers: readonly MapMarker[];

  /**
   * @param box contains the markers that were served with the page
   * @param frame returns the floor plan's current position
   */
  constructor(map: L.Map, box: HTMLElement, frame: () => PlanFrame) {
    this.#map = map;
    this.#frame = frame;
    this.#isChangeable = box.dataset.mayChange === 'yes';
    this.#markers = JSON.parse(box.dataset.markers ?? '[]') as MapMarker[];
    this.#marks.addTo(this.#map);
  }

  async load(): Promise<void> {
    try {
      const headers = { accept: 'application/json' };
      const answer = await fetch('/markers', { headers, cache: 'no-cache' });
      if (answer.ok) this.#markers = (await answer.json()) as MapMarker[];
    } catch {
      // Previously loaded markers remain visible.
    }
    this.draw();
  }

  /** Must also be called when the floor plan has moved. */
  draw(): void {
    this.#marks.clearLayers();
    for (const marker of this.#markers) this.#add(marker);
  }

  #add(marker: MapMarker): void {
    const { lat, long } = this.#frame().toGlobe(marker);
    const mark = L.marker([lat, long], {
      icon: iconOf(marker, this.#frame().turned(marker.headingDeg)),
      title: BEACON_TEXTS.marker(marker.id),
      draggable: this.#isChangeable,
      // The form on the Markers page is the alternative for keyboards.
      keyboard: false,
    });
    mark.on('dragend', () => {
      const at = mark.getLatLng();
      void this.#move(marker, { lat: at.lat, long: at.lng });
    });
    mark.addTo(this.#marks);
  }

  async #move(marker: MapMarker, to: { lat: number; long: number }): Promise<void> {
    const { xMm, yMm } = this.#frame().toPlan(to);
    const body = JSON.stringify({ ...marker, xMm: Math.round(xMm), yMm: Math.round(yMm) });
    const isSaved = await this.#put(marker, body);
    showText(
      find('[data-map-words]'),
      isSaved ? BEACON_TEXTS.markerMoved(marker.id) : BEACON_TEXTS.markerNotMoved(marker.id),
    );
    await this.load();
  }

  /** Fails if the marker has changed since this page loaded it. */
  async #put(marker: MapMarker, body: string): Promise<boolean> {
    const url = `/markers/${marker.id}`;
    const headers = { accept: 'application/json' };
    try {
      const current = await fetch(url, { headers, cache: 'no-cache' });
      const etag = current.headers.get('etag') ?? '';
      const isSame = current.ok && JSON.stringify(await current.json()) === JSON.stringify(marker);
      if (!isSame) return false;
      const type = { 'content-type': 'application/json', 'if-match': etag };
      return (await fetch(url, { method: 'PUT', headers: { ...headers, ...type }, body })).ok;
    } catch {
      return false;
    }
  }
}

function iconOf({ id }: MapMarker, bearingDeg: number): L.DivIcon {
  const element = document.createElement('div');
  const square = svg('rect', { class: 'marker-square', x: -7, y: -7, width: 14, height: 14 });
  const arrow = svg('path', { class: 'marker-arrow', d: 'M0 -8 V-18 M-4 -14 L0 -18 L4 -14' });
  arrow.setAttribute('transform', `rotate(${bearingDeg})`);
  const icon = svg(
    'svg',
    { viewBox: '-20 -20 40 40', width: 40, height: 40, 'aria-hidden': 'true' },
    square,
    arrow,
  );
  const label = Object.assign(document.createElement('span'), {
    className: 'cart-label',
    textContent: String(id),
  });
  element.append(icon, label);
  return L.divIcon({ html: element, className: 'printed-marker', iconSize: [40, 40] });
}

import * as L from 'leaflet';
import type { LatLong } from '../../../plan/pure.js';

const SQUARES_M = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000, 500_000];
const MIN_SQUARE_PX = 56;
const METRES_PER_DEGREE = 111_195;

export class Grid {
  readonly #map: L.Map;
  readonly #lines: L.Polyline;
  readonly #onResize: (squareM: number) => void;
  #origin: LatLong;
  #isOn = false;

  /**
   * @param origin two grid lines pass through this position.
   * @param onResize called with the side length of a grid square in metres, whenever it may have changed.
   */
  constructor(map: L.Map, origin: LatLong, onResize: (squareM: number) => void) {
    this.#map = map;
    this.#origin = origin;
    this.#onResize = onResize;
    map.createPane('grid').style.zIndex = '240';
    const renderer = L.svg({ pane: 'grid', padding: 0.1 });
    this.#lines = L.polyline([], {
      className: 'map-grid',
      interactive: false,
      pane: 'grid',
      renderer,
      noClip: true,
    });
    this.#lines.addTo(map);
    map.on('moveend resize', () => this.#draw());
  }

  show(isOn: boolean): void {
    this.#isOn = isOn;
    this.#draw();
  }

  anchor(origin: LatLong): void {
    this.#origin = origin;
    this.#draw();
  }

  #draw(): void {
    if (!this.#isOn) return void this.#lines.setLatLngs([]);
    const bounds = this.#map.getBounds().pad(0.1);
    const shrink = Math.max(0.05, Math.cos((bounds.getCenter().lat * Math.PI) / 180));
    const metresPerPx =
      ((bounds.getEast() - bounds.getWest()) * METRES_PER_DEGREE * shrink) /
      (this.#map.getSize().x * 1.2 || 1);
    const square = SQUARES_M.find((metres) => metres / metresPerPx >= MIN_SQUARE_PX) ?? 500_000;
    const { lat: originLat, long: originLong } = this.#origin;
    const [high, wide] = [square / METRES_PER_DEGREE, square / METRES_PER_DEGREE / shrink];
    const firstFrom = (from: number, origin: number, step: number): number =>
      origin + Math.ceil((from - origin) / step) * step;
    const lines: L.LatLngTuple[][] = [];
    const [south, north] = [Math.max(-85, bounds.getSouth()), Math.min(85, bounds.getNorth())];
    for (let lat = firstFrom(south, originLat, high); lat <= north; lat += high) {
      lines.push([
        [lat, bounds.getWest()],
        [lat, bounds.getEast()],
      ]);
    }
    for (let long = firstFrom(bounds.getWest(), originLong, wide); long <= bounds.getEast(); long += wide) {
      lines.push([
        [south, long],
        [north, long],
      ]);
    }
    this.#lines.setLatLngs(lines);
    this.#onResize(square);
  }
}

import * as L from 'leaflet';
import type { MapPose } from '../../../../beacons/pure.js';
import type { LatLong } from '../../../../plan/pure.js';

/** Draws the line from the cart to the target, and the position that is being placed. */
export class PreviewLayer {
  readonly #marks = L.layerGroup();
  readonly #renderer = L.svg();

  constructor(map: L.Map) {
    this.#marks.addTo(map);
  }

  showMotion(from: MapPose, end: LatLong): void {
    this.clear();
    const line = [from, end].map(({ lat, long }): L.LatLngTuple => [lat, long]);
    const shared = { renderer: this.#renderer, interactive: false };
    L.polyline(line, { ...shared, className: 'drive-to-line' }).addTo(this.#marks);
    L.circleMarker([end.lat, end.long], { ...shared, radius: 8, className: 'drive-to-end' }).addTo(
      this.#marks,
    );
  }

  showPosition({ lat, long }: LatLong): void {
    this.clear();
    const options = { renderer: this.#renderer, interactive: false, radius: 8, className: 'drive-to-end' };
    L.circleMarker([lat, long], options).addTo(this.#marks);
  }

  clear(): void {
    this.#marks.clearLayers();
  }
}

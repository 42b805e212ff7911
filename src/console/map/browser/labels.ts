import * as L from 'leaflet';

/** About 15 cm per pixel; at lower zoom levels, labels would hide the beacons. */
const MIN_ZOOM = 19;
const MAX_LABELS = 120;
const CHARACTER_PX = 7.5;
const PADDING_PX = 8;
const HEIGHT_PX = 18;
const BELOW_PX = 7;

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Shows the IDs of the beacons in view. A label is omitted if it would overlap another label. */
export class LabelLayer {
  readonly #map: L.Map;
  readonly #labels = L.layerGroup();
  #positions: ReadonlyMap<string, L.LatLngTuple> = new Map();

  constructor(map: L.Map) {
    this.#map = map;
    // Labels are drawn below the beacons (z-index 400), so that they do not hide any beacon.
    map.createPane('labels').style.zIndex = '390';
    this.#labels.addTo(map);
    map.on('moveend resize', () => this.#draw());
  }

  show(positions: ReadonlyMap<string, L.LatLngTuple>): void {
    this.#positions = positions;
    this.#draw();
  }

  #draw(): void {
    this.#labels.clearLayers();
    if (this.#map.getZoom() < MIN_ZOOM) return;
    const view = this.#map.getBounds();
    const taken: Area[] = [];
    for (const [id, position] of this.#positions) {
      if (taken.length === MAX_LABELS) return;
      if (!view.contains(position)) continue;
      const area = areaOf(this.#map.latLngToLayerPoint(position), id);
      if (taken.some((other) => overlap(area, other))) continue;
      taken.push(area);
      this.#add(id, position);
    }
  }

  #add(id: string, position: L.LatLngTuple): void {
    const text = Object.assign(document.createElement('span'), { textContent: id });
    const icon = L.divIcon({
      html: text,
      className: 'beacon-label',
      iconSize: [0, HEIGHT_PX],
      iconAnchor: [0, -BELOW_PX],
    });
    L.marker(position, { icon, pane: 'labels', keyboard: false, interactive: false }).addTo(this.#labels);
  }
}

/** Returns a label's width in px, a little more than its font needs. */
export function widthOf(text: string): number {
  return text.length * CHARACTER_PX + PADDING_PX;
}

function areaOf({ x, y }: L.Point, id: string): Area {
  const width = widthOf(id);
  return {
    left: x - width / 2,
    top: y + BELOW_PX,
    right: x + width / 2,
    bottom: y + BELOW_PX + HEIGHT_PX,
  };
}

export function overlap(a: Area, b: Area): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

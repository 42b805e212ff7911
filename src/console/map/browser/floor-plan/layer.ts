import * as L from 'leaflet';
import type { Placement, PlanView } from '../../../../plan/pure.js';
import { setTurned } from './turned-image.js';

const PANE = 'plan';

/** Leaflet cannot rotate image overlays, so a CSS matrix positions the floor plan. */
export class PlanLayer {
  readonly #map: L.Map;
  readonly #image = new Image();
  #placed: { placement: Placement; width: number; height: number; turn: string } | undefined;

  constructor(map: L.Map) {
    this.#map = map;
    // The floor plan is drawn between the tiles (z-index 200) and the overlays (400).
    map.createPane(PANE).style.zIndex = '250';
    this.#image.alt = '';
    this.#image.className = 'plan-layer';
    this.#image.hidden = true;
    map.getPane(PANE)?.append(this.#image);
    map.on('viewreset zoom move', () => this.#draw());
  }

  /** Hides the plan unless its position is known. */
  show(plan: PlanView | null): void {
    const { placement, width, height } = plan ?? {};
    const turn = setTurned(this.#image, plan);
    this.#placed = placement && width && height ? { placement, width, height, turn } : undefined;
    this.#image.hidden = this.#placed === undefined;
    // Setting an unchanged URL would load the image again.
    const url = plan ? `/map/plan/picture?v=${plan.version}` : '';
    if (url !== '' && this.#image.getAttribute('src') !== url) this.#image.src = url;
    this.#draw();
  }

  get corners(): L.LatLngTuple[] {
    if (!this.#placed) return [];
    const { topLeft, topRight, bottomLeft } = this.#placed.placement;
    const across = {
      lat: topRight.lat + bottomLeft.lat - topLeft.lat,
      long: topRight.long + bottomLeft.long - topLeft.long,
    };
    return [topLeft, topRight, bottomLeft, across].map(({ lat, long }) => [lat, long]);
  }

  #draw(): void {
    if (!this.#placed) return;
    const { placement, width, height, turn } = this.#placed;
    const at = ({ lat, long }: Placement['topLeft']): L.Point =>
      this.#map.latLngToLayerPoint(L.latLng(lat, long));
    const [corner, right, down] = [at(placement.topLeft), at(placement.topRight), at(placement.bottomLeft)];
    const [a, b] = [(right.x - corner.x) / width, (right.y - corner.y) / width];
    const [c, d] = [(down.x - corner.x) / height, (down.y - corner.y) / height];
    this.#image.style.transform = `matrix(${a}, ${b}, ${c}, ${d}, ${corner.x}, ${corner.y}) ${turn}`;
  }
}

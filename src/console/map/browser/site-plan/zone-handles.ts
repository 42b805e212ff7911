import * as L from 'leaflet';
import type { PlanPoint } from '../../../../site/pure.js';
import { middleAfter, withCorner, withMovedCorner, type ZoneDraft } from './draft.js';
import { zoneShape } from './layer.js';
import type { PlanArea } from './plan-area.js';

/** Handles that are closer together than this on the screen would cover each other. */
const MIN_GAP_PX = 26;

interface HandleActions {
  /** A tap on a corner. */
  onCorner: (at: number) => void;
  onMove: (at: number, to: PlanPoint) => void;
  onInsert: (at: number, corner: PlanPoint) => void;
}

/** Draws the zone that is being edited, with a handle at each corner and in the middle of each edge. */
export class ZoneHandles {
  readonly #map: L.Map;
  readonly #area: () => PlanArea | undefined;
  readonly #actions: HandleActions;
  readonly #shapes = L.layerGroup();
  readonly #handles = L.layerGroup();
  readonly #renderer = L.svg();
  #redraw: () => void = () => undefined;

  constructor(map: L.Map, area: () => PlanArea | undefined, actions: HandleActions) {
    this.#map = map;
    this.#area = area;
    this.#actions = actions;
    for (const group of [this.#shapes, this.#handles]) group.addTo(map);
    map.on('moveend', () => this.#redraw());
  }

  draw(zone: ZoneDraft, marked: { selected: number | undefined; faulty: ReadonlySet<number> }): void {
    const redraw = (): void => {
      this.#drawShape(zone, zone.polygon);
      this.#drawHandles(zone, marked);
    };
    this.#redraw = redraw;
    redraw();
  }

  clear(): void {
    this.#redraw = () => undefined;
    for (const group of [this.#shapes, this.#handles]) group.clearLayers();
  }

  #drawShape({ kind, isClosed }: ZoneDraft, polygon: readonly PlanPoint[]): void {
    this.#shapes.clearLayers();
    const { corners, style } = zoneShape(kind, polygon, this.#area());
    const options = { ...style, renderer: this.#renderer, className: `${style.className} zone-draft` };
    const shape = isClosed ? L.polygon(corners, options) : L.polyline(corners, { ...options, fill: false });
    shape.addTo(this.#shapes);
  }

  #drawHandles(zone: ZoneDraft, marked: { selected: number | undefined; faulty: ReadonlySet<number> }): void {
    this.#handles.clearLayers();
    const { polygon, isClosed } = zone;
    const taken: L.Point[] = [];
    // A selected or faulty corner is always shown, also if its neighbours are very close.
    const isMarked = (at: number): boolean => at === marked.selected || marked.faulty.has(at);
    const order = [...polygon.keys()].sort((a, b) => Number(isMarked(b)) - Number(isMarked(a)) || a - b);
    const add = (point: PlanPoint, className: string): L.Marker | undefined => {
      const at = this.#area()?.toGlobe(point);
      if (!at || !this.#map.getBounds().pad(0.1).contains(at)) return undefined;
      const pixel = this.#map.latLngToLayerPoint(at);
      if (taken.some((other) => other.distanceTo(pixel) < MIN_GAP_PX)) return undefined;
      taken.push(pixel);
      // The fields in the form are the alternative for keyboards.
      const icon = L.divIcon({ className, iconSize: [44, 44] });
      return L.marker(at, { icon, draggable: true, keyboard: false }).addTo(this.#handles);
    };
    for (const at of order) {
      const corner = polygon[at];
      if (!corner) continue;
      const className = `corner-handle${at === marked.selected ? ' is-selected' : ''}${marked.faulty.has(at) ? ' is-faulty' : ''}`;
      const handle = add(corner, className);
      handle?.on('click', () => this.#actions.onCorner(at));
      this.#follow(handle, zone, (to) => withMovedCorner(polygon, at, to));
      handle?.on('dragend', () => this.#finish(handle, (to) => this.#actions.onMove(at, to)));
    }
    const edges = isClosed ? polygon.length : polygon.length - 1;
    for (let at = 0; at < edges; at += 1) {
      const middle = middleAfter(polygon, at);
      const handle = add(middle, 'edge-handle');
      handle?.on('click', () => this.#actions.onInsert(at + 1, middle));
      this.#follow(handle, zone, (to) => withCorner(polygon, at + 1, to));
      handle?.on('dragend', () => this.#finish(handle, (to) => this.#actions.onInsert(at + 1, to)));
    }
  }

  /** Draws the shape that the zone would have if the handle were released now. */
  #follow(handle: L.Marker | undefined, zone: ZoneDraft, shapeAt: (to: PlanPoint) => PlanPoint[]): void {
    handle?.on('drag', () => this.#finish(handle, (to) => this.#drawShape(zone, shapeAt(to))));
  }

  #finish(handle: L.Marker, take: (to: PlanPoint) => void): void {
    const area = this.#area();
    if (area) take(area.pointAt(handle.getLatLng()));
  }
}

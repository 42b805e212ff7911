import * as L from 'leaflet';
import type { Place, PlanPoint, Zone } from '../../../../site/pure.js';
import { svg } from '../../../browser/dom.js';
import { PLACE_GLYPHS } from '../../site-text.js';
import { type Area, overlap, widthOf } from '../labels.js';
import type { PlanArea } from './plan-area.js';
import type { SitePlanData } from './store.js';
import { SITE_TEXTS } from './texts.js';

const PANE = 'zones';
const MARKS_PANE = 'zone-marks';
/** Half the size of a place's symbol with its arrow, and the distance of its name. */
const SYMBOL_PX = 20;
const NAME_PX = 20;
const LINE_PX = 20;

/** Draws the zones below everything else on the floor plan, and the places as symbols. */
export class SitePlanLayer {
  readonly #map: L.Map;
  readonly #zones = L.layerGroup();
  readonly #marks = L.layerGroup();
  readonly #renderer: L.Renderer;
  #plan: SitePlanData | undefined;
  #area: PlanArea | undefined;
  #editedId = '';

  constructor(map: L.Map) {
    this.#map = map;
    // Between the floor plan (250) and the labels of beacons (390).
    map.createPane(PANE).style.zIndex = '260';
    map.createPane(MARKS_PANE).style.zIndex = '380';
    this.#renderer = L.svg({ pane: PANE });
    for (const group of [this.#zones, this.#marks]) group.addTo(map);
    map.on('zoomend', () => this.#drawMarks());
  }

  /** @param editedId the zone or place that the editor draws; empty if there is none */
  draw(plan: SitePlanData, area: PlanArea | undefined, editedId: string): void {
    this.#plan = plan;
    this.#area = area;
    this.#editedId = editedId;
    this.#zones.clearLayers();
    for (const zone of this.#shown(plan.zones)) this.#addZone(zone);
    this.#drawMarks();
  }

  markOutdated(isOutdated: boolean): void {
    for (const pane of [PANE, MARKS_PANE]) this.#map.getPane(pane)?.toggleAttribute('data-stale', isOutdated);
  }

  #shown<Item extends { id: string }>(items: readonly Item[]): Item[] {
    return this.#area ? items.filter(({ id }) => id !== this.#editedId) : [];
  }

  #addZone({ kind, polygon }: Zone): void {
    const shape = zoneShape(kind, polygon, this.#area);
    L.polygon(shape.corners, { ...shape.style, pane: PANE, renderer: this.#renderer }).addTo(this.#zones);
  }

  /** A name that would cover another name or a symbol, or extend beyond its zone, is left out. */
  #drawMarks(): void {
    this.#marks.clearLayers();
    if (!this.#plan) return;
    const places = this.#shown(this.#plan.places);
    const pixels = places.map(({ xMm, yMm }) => this.#map.latLngToLayerPoint(this.#at([xMm, yMm])));
    const taken = pixels.map((at) => boxAround(at, SYMBOL_PX, SYMBOL_PX));
    const isFree = (area: Area): boolean => {
      const isTaken = taken.some((other) => overlap(area, other));
      if (!isTaken) taken.push(area);
      return !isTaken;
    };
    for (const [nth, place] of places.entries()) {
      const below = pixels[nth]?.add([0, NAME_PX + LINE_PX / 2 + 1]) ?? L.point(0, 0);
      const isNamed = isFree(boxAround(below, widthOf(place.name) / 2, LINE_PX / 2));
      this.#addPlace(place, isNamed ? place.name : '');
    }
    for (const zone of this.#shown(this.#plan.zones)) {
      const corners = zone.polygon.map((corner) => this.#map.latLngToLayerPoint(this.#at(corner)));
      const { min, max } = L.bounds(corners);
      const rule = SITE_TEXTS.kind(zone);
      // The pattern also shows the kind, so the kind is left out first.
      const lines = [[zone.name, rule], [zone.name]].find(
        (texts) => min && max && Math.max(...texts.map(widthOf)) <= max.x - min.x,
      );
      if (!lines) continue;
      const centre = this.#at(centreOf(zone.polygon));
      const [halfWidth, halfHeight] = [Math.max(...lines.map(widthOf)) / 2, (lines.length * LINE_PX) / 2];
      const area = boxAround(this.#map.latLngToLayerPoint(centre), halfWidth, halfHeight);
      if (isFree(area)) this.#addLabel(lines, centre);
    }
  }

  #addLabel(lines: readonly string[], centre: L.LatLngTuple): void {
    const element = document.createElement('div');
    element.append(
      ...lines.map((textContent) => Object.assign(document.createElement('span'), { textContent })),
    );
    this.#mark(centre, L.divIcon({ html: element, className: 'zone-label', iconSize: [0, 0] }));
  }

  #addPlace({ xMm, yMm, headingDeg, purpose }: Place, name: string): void {
    const bearingDeg = this.#area?.frame.turned(headingDeg) ?? 0;
    this.#mark(this.#at([xMm, yMm]), placeIcon({ name, purpose }, bearingDeg));
  }

  #mark(at: L.LatLngTuple, icon: L.DivIcon): void {
    L.marker(at, { icon, pane: MARKS_PANE, keyboard: false, interactive: false }).addTo(this.#marks);
  }

  #at(point: PlanPoint): L.LatLngTuple {
    return this.#area?.toGlobe(point) ?? [0, 0];
  }
}

function boxAround({ x, y }: L.Point, halfWidth: number, halfHeight: number): Area {
  return { left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight };
}

/** Returns a zone's corners on the map and its pattern, which the page contains beside the legend. */
export function zoneShape(kind: Zone['kind'], polygon: readonly PlanPoint[], area: PlanArea | undefined) {
  return {
    corners: area ? polygon.map((corner) => area.toGlobe(corner)) : [],
    style: {
      className: `zone zone-${kind}`,
      fillColor: `url(#pattern-${kind})`,
      fillOpacity: 1,
      interactive: false,
      smoothFactor: 0,
    },
  };
}

/** @param bearingDeg clockwise from north */
export function placeIcon({ name, purpose }: Pick<Place, 'name' | 'purpose'>, bearingDeg: number): L.DivIcon {
  const element = document.createElement('div');
  const arrow = svg('path', { class: 'place-arrow', d: 'M-6 -17 L0 -24 L6 -17 Z' });
  arrow.setAttribute('transform', `rotate(${bearingDeg})`);
  const icon = svg(
    'svg',
    { viewBox: '-24 -24 48 48', width: 48, height: 48, 'aria-hidden': 'true' },
    arrow,
    svg('circle', { class: 'place-disc', r: 14 }),
    svg('path', { class: 'place-glyph', d: PLACE_GLYPHS[purpose] }),
  );
  const label = Object.assign(document.createElement('span'), { className: 'cart-label', textContent: name });
  element.append(icon, ...(name === '' ? [] : [label]));
  return L.divIcon({ html: element, className: 'place-mark', iconSize: [48, 48] });
}

/** Returns the centre of gravity of the area, or the first corner of a degenerate polygon. */
function centreOf(polygon: readonly PlanPoint[]): PlanPoint {
  let [area, xSum, ySum] = [0, 0, 0];
  for (const [nth, [x1, y1]] of polygon.entries()) {
    const [x2, y2] = polygon[(nth + 1) % polygon.length] ?? [x1, y1];
    const cross = x1 * y2 - x2 * y1;
    area += cross;
    xSum += (x1 + x2) * cross;
    ySum += (y1 + y2) * cross;
  }
  return area === 0 ? (polygon[0] ?? [0, 0]) : [xSum / (3 * area), ySum / (3 * area)];
}

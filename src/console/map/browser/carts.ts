import * as L from 'leaflet';
import type { Position } from '../../../beacons/pure.js';
import type { FieldView } from '../../../carts/pure.js';
import { type LatLong, sigmasOf, TangentPlane } from '../../../plan/pure.js';
import { find, setText, svg } from '../../browser/dom.js';
import { type CartCorner, onMap } from './cart-outline.js';
import { type CartTrack, RECENT_MS } from './cart-positions.js';
import type { BeaconMap } from './map.js';
import { obstacleLines } from './obstacles.js';
import { BEACON_TEXTS } from './texts.js';

const STALE_MS = 1000;
const MINUTE_MS = 60_000;
const CORNERS = 48;
/** Radius of a cart's symbol, plus a gap. */
const SYMBOL_PX = 24;

interface CartMark {
  marker: L.Marker;
  element: HTMLElement;
  trail: L.Polyline;
  ellipse: L.Polygon;
  footprint: L.Polygon;
  stopping: L.Polygon;
}

export class CartLayer {
  readonly #map: BeaconMap;
  readonly #carts = new Map<number, CartMark>();
  readonly #circles = L.layerGroup();
  readonly #obstacles = L.layerGroup();
  readonly #renderer = L.svg();

  constructor(map: BeaconMap) {
    this.#map = map;
    for (const layer of [this.#circles, this.#obstacles]) layer.addTo(map.map);
  }

  /** @param fields protective fields by cart ID */
  draw(
    tracks: readonly CartTrack[],
    fields: ReadonlyMap<number, FieldView>,
    { circles, follow }: { circles: boolean; follow: boolean },
  ): void {
    this.#map.setCarts(tracks);
    for (const track of tracks) if (track.position) this.#drawCart(track, track.position);
    // A cart that can no longer be located is not shown where it was before.
    this.#removeOthers(new Set(tracks.flatMap(({ cartID, position }) => (position ? [cartID] : []))));
    this.#obstacles.clearLayers();
    for (const track of tracks) {
      const field = fields.get(track.cartID);
      if (field) this.#drawObstacles(track, field);
    }
    const legend = find('[data-obstacles]');
    if (legend) legend.hidden = this.#obstacles.getLayers().length === 0;
    this.#circles.clearLayers();
    const recent = tracks.filter(({ ageMs }) => ageMs < RECENT_MS);
    if (circles) for (const track of recent) this.#drawCircles(track);
    const positions = recent.flatMap(({ position }) =>
      position ? [L.latLng(position.lat, position.long)] : [],
    );
    if (follow && positions.length > 0) this.#follow(L.latLngBounds(positions));
  }

  /** Pans only if a cart is about to leave the view, because a constantly moving map is unreadable. */
  #follow(carts: L.LatLngBounds): void {
    const { map } = this.#map;
    if (!map.getBounds().pad(-0.1).contains(carts))
      map.setView(carts.getCenter(), map.getZoom(), { animate: false });
  }

  #drawCart(track: CartTrack, position: Position): void {
    const { cartID, bearingDeg, ageMs, trail } = track;
    const mark = this.#carts.get(cartID) ?? this.#add(track);
    const isStale = ageMs > STALE_MS;
    mark.marker.setLatLng([position.lat, position.long]);
    mark.trail.setLatLngs(tuples(trail));
    mark.ellipse.setLatLngs(isStale ? [] : outlineOf(position));
    const outline = (corners: readonly CartCorner[] = []): L.LatLngTuple[] =>
      bearingDeg === undefined || isStale ? [] : tuples(onMap(corners, position, bearingDeg));
    mark.footprint.setLatLngs(outline(track.footprint));
    mark.stopping.setLatLngs(outline(track.stoppingArea));
    mark.element.toggleAttribute('data-stale', isStale);
    mark.element.toggleAttribute('data-assumed', track.isAssumed === true);
    const label = mark.element.querySelector('.cart-label');
    setText(label ?? undefined, labelOf(track));
    const arrow = mark.element.querySelector('.cart-arrow');
    mark.element.toggleAttribute('data-heads', bearingDeg !== undefined);
    arrow?.setAttribute('transform', `rotate(${bearingDeg ?? 0})`);
  }

  #removeOthers(shown: ReadonlySet<number>): void {
    for (const [cartID, { marker, trail, ellipse, footprint, stopping }] of this.#carts) {
      if (shown.has(cartID)) continue;
      for (const layer of [marker, trail, ellipse, footprint, stopping]) layer.remove();
      this.#carts.delete(cartID);
    }
  }

  #add({ cartID }: CartTrack): CartMark {
    const element = document.createElement('div');
    const icon = svg(
      'svg',
      { viewBox: '-20 -20 40 40', width: 40, height: 40, 'aria-hidden': 'true' },
      svg('circle', { class: 'cart-disc', r: 10 }),
      svg('path', { class: 'cart-arrow', d: 'M0 -20 L8 -6 A10 10 0 1 1 -8 -6 Z' }),
    );
    const label = Object.assign(document.createElement('span'), { className: 'cart-label' });
    element.append(icon, label);
    const divIcon = L.divIcon({ html: element, className: 'cart-mark', iconSize: [40, 40] });
    const marker = L.marker([0, 0], { icon: divIcon, keyboard: false, interactive: false });
    const line = { interactive: false, renderer: this.#renderer };
    const mark = {
      marker,
      element,
      trail: L.polyline([], { ...line, className: 'cart-trail' }),
      ellipse: L.polygon([], { ...line, className: 'cart-ellipse', smoothFactor: 0 }),
      footprint: L.polygon([], { ...line, className: 'cart-footprint', smoothFactor: 0 }),
      stopping: L.polygon([], { ...line, className: 'cart-stopping', smoothFactor: 0 }),
    };
    for (const layer of [mark.ellipse, mark.trail, mark.stopping, mark.footprint, marker])
      layer.addTo(this.#map.map);
    this.#carts.set(cartID, mark);
    return mark;
  }

  #drawObstacles({ position, bearingDeg, ageMs, footprint }: CartTrack, field: FieldView): void {
    if (!position || bearingDeg === undefined) return;
    const isStale = ageMs > STALE_MS || field.ageS > 0;
    const symbolM = this.#metres(position, SYMBOL_PX);
    for (const { points, isBlocked } of obstacleLines(field, position, bearingDeg, { symbolM, footprint })) {
      const className = `field-arc${isStale ? ' is-stale' : isBlocked ? ' is-blocked' : ''}`;
      L.polyline(tuples(points), { className, interactive: false, renderer: this.#renderer }).addTo(
        this.#obstacles,
      );
    }
  }

  /** Converts a length in pixels to metres at the current zoom level. */
  #metres({ lat, long }: Position, pixels: number): number {
    const { map } = this.#map;
    const point = map.latLngToContainerPoint([lat, long]);
    return map.distance([lat, long], map.containerPointToLatLng(point.add([pixels, 0])));
  }

  /** Draws the estimated distance around each received beacon; the circles intersect at the cart. */
  #drawCircles({ received, ageMs }: CartTrack): void {
    const className = ageMs > STALE_MS ? 'heard-circle heard-before' : 'heard-circle';
    for (const { id, distanceM } of received) {
      const position = this.#map.positionOf(id);
      if (!position || distanceM === null) continue;
      const options = { radius: distanceM, className, interactive: false, renderer: this.#renderer };
      L.circle(position, options).addTo(this.#circles);
    }
  }
}

/** Returns the cart's name, with the age of its position if the age is at least one minute. */
export function labelOf({ name, ageMs }: Pick<CartTrack, 'name' | 'ageMs'>): string {
  const minutes = Math.floor(ageMs / MINUTE_MS);
  return minutes === 0 || !Number.isFinite(minutes)
    ? name
    : `${name}, ${BEACON_TEXTS.ago(minutes * MINUTE_MS)}`;
}

function tuples(points: readonly LatLong[]): L.LatLngTuple[] {
  return points.map(({ lat, long }) => [lat, long]);
}

/** Returns the ellipse of three standard deviations, which contains the position with a probability of 98.9 %. */
function outlineOf({ lat, long, ellipse }: Position): L.LatLngTuple[] {
  const sigmas = 3 / sigmasOf(ellipse.probability);
  const plane = new TangentPlane([{ lat, long }]);
  const bearing = (ellipse.bearingDeg * Math.PI) / 180;
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (i / CORNERS) * 2 * Math.PI;
    const along = sigmas * ellipse.semiMajorM * Math.cos(angle);
    const across = sigmas * ellipse.semiMinorM * Math.sin(angle);
    const corner = plane.toGlobe({
      x: along * Math.sin(bearing) + across * Math.cos(bearing),
      y: along * Math.cos(bearing) - across * Math.sin(bearing),
    });
    return [corner.lat, corner.long];
  });
}

export function mapOptions(): { circles: boolean; follow: boolean } {
  const isOn = (selector: string): boolean => find<HTMLInputElement>(selector)?.checked ?? false;
  return { circles: isOn('[data-circles]'), follow: isOn('[data-follow]') };
}

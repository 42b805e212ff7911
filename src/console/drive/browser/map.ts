import { metres } from '../../../i18n/format.js';
import { find, setAttribute, setText, svg } from '../../browser/dom.js';
import type { StateStore } from '../../browser/live/state-store.js';
import { TEXTS } from '../../browser/texts.js';
import { fieldKey, fieldShapes } from './field.js';

const MAX_POINTS = 600;
const STEP_MM = 20;
const SQUARES_M = [0.25, 0.5, 1, 2, 5, 10, 20, 50];

/** Only one cart is shown, because each cart has a different origin: its position at power-on. */
export class Trail {
  #points = new Map<number, { x: number; y: number }[]>();
  #shown = '';
  #obstacles = '';
  #shapes: ReturnType<typeof newShapes> | undefined;
  #ratio = 2;
  #watch: ResizeObserver | undefined;

  draw(store: StateStore): void {
    for (const { cartID, pose } of store.carts.values()) if (pose) this.#add(cartID, pose.xMm, pose.yMm);
    const { selected } = store;
    const map = document.querySelector('[data-map]');
    if (!selected?.pose || !map) return;
    const { pose, field } = selected;
    const { xMm, yMm, headingDeg } = pose;
    const ratio = this.#ratioOf(map);
    const shown = [selected.cartID, xMm, yMm, headingDeg, ratio, fieldKey(field)].join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    // As in the preview, the initial heading points up.
    const points = this.#points.get(selected.cartID) ?? [];
    const box = boxOf([...points, { x: xMm / 1000, y: yMm / 1000 }, { x: 0, y: 0 }], ratio);
    const square = SQUARES_M.find((size) => box.side / size <= 6) ?? 100;
    setAttribute(map, 'viewBox', `${box.x} ${box.y} ${box.width} ${box.side}`);
    const size = Math.min(box.side, box.width / 2) * 0.06;
    const at = `translate(${-yMm / 1000} ${-xMm / 1000}) rotate(${-headingDeg})`;
    const { axis, origin, trail, around, cart } = this.#shapesIn(map);
    setAttribute(axis, 'd', grid(box, square));
    setAttribute(origin, 'd', `M${-size / 2} 0 H${size / 2} M0 ${-size / 2} V${size / 2}`);
    setAttribute(trail, 'd', `M${points.map(({ x, y }) => `${-y} ${-x}`).join(' L') || '0 0'}`);
    setAttribute(around, 'transform', at);
    const obstacles = `${size} ${fieldKey(field)}`;
    if (obstacles !== this.#obstacles) around.replaceChildren(...fieldShapes(field, size));
    this.#obstacles = obstacles;
    setAttribute(cart, 'd', `M0 ${-size} L${size * 0.6} ${size * 0.7} H${-size * 0.6} Z`);
    setAttribute(cart, 'transform', at);
    setText(find('[data-map-words]'), TEXTS.square(metres(square * 1000)));
  }

  /**
   * Returns the shapes in the map. Reuses them, because new elements would make the browser recompute the page's
   * styles.
   */
  #shapesIn(map: Element): ReturnType<typeof newShapes> {
    if (!this.#shapes) {
      this.#shapes = newShapes();
      map.replaceChildren(...Object.values(this.#shapes));
    }
    return this.#shapes;
  }

  /**
   * Returns the map's aspect ratio, which a `ResizeObserver` keeps up to date, to avoid a forced layout on every draw.
   */
  #ratioOf(map: Element): number {
    if (this.#watch) return this.#ratio;
    this.#watch = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width > 0 && height > 0) this.#ratio = width / height;
    });
    this.#watch.observe(map);
    return this.#ratio;
  }

  #add(cartID: number, xMm: number, yMm: number): void {
    const points = this.#points.get(cartID) ?? [];
    const last = points[points.length - 1];
    if (last && Math.hypot(last.x * 1000 - xMm, last.y * 1000 - yMm) < STEP_MM) return;
    points.push({ x: xMm / 1000, y: yMm / 1000 });
    if (points.length > MAX_POINTS) points.shift();
    this.#points.set(cartID, points);
  }
}

/** Creates the map's shapes, from back to front. */
function newShapes() {
  return {
    axis: svg('path', { class: 'axis' }),
    origin: svg('path', { class: 'origin' }),
    trail: svg('path', { class: 'trail' }),
    around: svg('g', {}),
    cart: svg('path', { class: 'cart-after' }),
  };
}

interface Box {
  x: number;
  y: number;
  width: number;
  /** Height of the map in metres. */
  side: number;
}

function boxOf(points: readonly { x: number; y: number }[], ratio: number): Box {
  const xs = points.map(({ y }) => -y);
  const ys = points.map(({ x }) => -x);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(2, (bottom - top) * 1.25, ((right - left) * 1.25) / ratio);
  const width = side * ratio;
  return { x: (left + right) / 2 - width / 2, y: (top + bottom) / 2 - side / 2, width, side };
}

function grid({ x, y, width, side }: Box, square: number): string {
  const lines: string[] = [];
  for (let at = Math.ceil(x / square) * square; at < x + width; at += square)
    lines.push(`M${at} ${y} v${side}`);
  for (let at = Math.ceil(y / square) * square; at < y + side; at += square)
    lines.push(`M${x} ${at} h${width}`);
  return lines.join(' ');
}

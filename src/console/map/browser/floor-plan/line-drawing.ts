import { type End, type Ends, endsAfterTap, type PlanImageSize } from '../../../../plan/pure.js';
import { all, find, svg } from '../../../browser/dom.js';

interface LineDrawingDeps {
  /** Returns undefined if there is no image. */
  size: () => PlanImageSize | undefined;
  ends: () => Ends;
  setEnds: (ends: Ends) => void;
  /** Called when both ends are set and the pointer is released. */
  onDrawn: () => void;
}

/** Below this distance in CSS pixels, a press counts as a tap. */
const TAP_PX = 6;

/**
 * The operator draws a line by dragging, by tapping both ends or by dragging one end. A vertical swipe on a touchscreen
 * scrolls the page, and the browser then cancels the drawing of the line.
 */
export class LineDrawing {
  readonly #deps: LineDrawingDeps;
  readonly #box = find('[data-plan-picture]');
  #drag: { pointerId: number; at: End; x: number; y: number; before: Ends; held: number } | undefined;

  constructor(deps: LineDrawingDeps) {
    this.#deps = deps;
    this.#box?.addEventListener('pointerdown', (event) => this.#begin(event));
    this.#box?.addEventListener('pointermove', (event) => this.#move(event));
    this.#box?.addEventListener('pointerup', (event) => this.#end(event));
    this.#box?.addEventListener('pointercancel', () => this.#cancel());
    this.#box?.addEventListener('dragstart', (event) => event.preventDefault());
  }

  draw(): void {
    const [ends, size] = [this.#deps.ends(), this.#deps.size()];
    for (const mark of all('[data-mark]')) {
      const end = ends[Number(mark.dataset.mark)];
      mark.hidden = !size || !end;
      if (!size || !end) continue;
      mark.style.left = `${(end.x / size.width) * 100}%`;
      mark.style.top = `${(end.y / size.height) * 100}%`;
    }
    const [from, to] = ends;
    const drawing = this.#box?.querySelector('[data-plan-line]');
    if (size) drawing?.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    const lines = size && from && to ? [svg('line', { x1: from.x, y1: from.y, x2: to.x, y2: to.y })] : [];
    drawing?.replaceChildren(...lines);
  }

  #begin(event: PointerEvent): void {
    const at = this.#pixelAt(event);
    if (!at || this.#drag || !event.isPrimary || event.button !== 0) return;
    const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-mark]') : null;
    const held = mark ? Number(mark.dataset.mark) : -1;
    const { pointerId, clientX: x, clientY: y } = event;
    this.#drag = { pointerId, at, x, y, before: this.#deps.ends(), held };
    this.#box?.setPointerCapture(pointerId);
  }

  #move(event: PointerEvent): void {
    const [drag, at] = [this.#drag, this.#pixelAt(event)];
    if (!drag || !at || event.pointerId !== drag.pointerId) return;
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP_PX) return;
    const [first, second] = drag.before;
    if (drag.held === 0) this.#deps.setEnds([at, second]);
    else if (drag.held === 1) this.#deps.setEnds([first, at]);
    else this.#deps.setEnds([drag.at, at]);
  }

  #end(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointerId) return;
    this.#drag = undefined;
    const isTap = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < TAP_PX;
    if (isTap && drag.held < 0) this.#deps.setEnds(endsAfterTap(drag.before, drag.at));
    if (this.#deps.ends().every(Boolean)) this.#deps.onDrawn();
  }

  #cancel(): void {
    if (this.#drag) this.#deps.setEnds(this.#drag.before);
    this.#drag = undefined;
  }

  #pixelAt({ clientX, clientY }: PointerEvent): End | undefined {
    // The drawing has the image's final size before the image has loaded.
    const [size, box] = [this.#deps.size(), find('[data-plan-line]')?.getBoundingClientRect()];
    if (!size || !box || box.width === 0) return undefined;
    const along = (from: number, length: number, at: number, pixels: number): number =>
      Math.round(Math.min(1, Math.max(0, (at - from) / length)) * pixels);
    return {
      x: along(box.left, box.width, clientX, size.width),
      y: along(box.top, box.height, clientY, size.height),
    };
  }
}

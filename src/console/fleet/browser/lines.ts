import type { FleetRow } from '../../../carts/pure.js';
import { cloneTemplate, fill, find, setTone } from '../../browser/dom.js';
import { markAge } from '../../browser/live/age.js';
import { fleetLine } from '../../labels/fleet-labels.js';
import { REMOTE_GREY_MS } from '../../labels/labels.js';

const SPARE = 8;
/** A press this soon after a reorder may have been meant for the cart that was in the row before. */
const MOVED_MS = 1000;

/** Only the visible rows exist; two empty rows fill the space above and below them. */
export class FleetLines {
  readonly box: HTMLElement;
  readonly #body: HTMLElement;
  readonly #above = gapRow();
  readonly #below = gapRow();
  #rows: readonly FleetRow[] = [];
  #receivedAt = 0;
  #isDrawing = false;
  /** The carts in the order of the previous drawing. */
  #order: readonly number[] = [];
  #former = new WeakMap<HTMLElement, { cartID: number; untilMs: number }>();

  constructor(box: HTMLElement, body: HTMLElement) {
    this.box = box;
    this.#body = body;
    body.replaceChildren(this.#above, this.#below);
    box.addEventListener('scroll', () => this.draw(), { passive: true });
    addEventListener('resize', () => this.draw());
  }

  /** @param receivedAt `performance.now()` when the data was received. */
  show(rows: readonly FleetRow[], receivedAt: number): void {
    this.#rows = rows;
    this.#receivedAt = receivedAt;
    find('[data-fleet-table]')?.setAttribute('aria-rowcount', String(rows.length + 1));
    this.draw();
  }

  /** Returns the cart that was previously in this place; undefined if the place has not changed within `MOVED_MS`. */
  formerOf(line: HTMLElement): number | undefined {
    const former = this.#former.get(line);
    return former && performance.now() < former.untilMs ? former.cartID : undefined;
  }

  draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.box;
    const linePx = Number.parseFloat(getComputedStyle(this.box).getPropertyValue('--row'));
    const first = Math.max(0, Math.floor(scrollTop / linePx) - SPARE);
    const last = Math.min(this.#rows.length, first + Math.ceil(clientHeight / linePx) + 2 * SPARE);
    const rows = this.#rows.slice(first, last);
    const lines = this.#linesOf(rows);
    let before: Element = this.#above;
    for (const [at, row] of rows.entries()) {
      const line = lines.get(row.cartID) ?? cloneTemplate('fleet-template');
      if (!line) return;
      // Moves a line only if necessary, because moving it would remove the focus from its buttons.
      if (before.nextElementSibling !== line) before.after(line);
      before = line;
      this.#fill(line, row, first + at);
    }
    this.#order = this.#rows.map(({ cartID }) => cartID);
    gap(this.#above, first * linePx);
    gap(this.#below, (this.#rows.length - last) * linePx);
  }

  /** Returns the existing lines of these carts and removes all others. A line always belongs to one cart. */
  #linesOf(rows: readonly FleetRow[]): Map<number, HTMLElement> {
    const shown = new Set(rows.map(({ cartID }) => cartID));
    const lines = new Map<number, HTMLElement>();
    for (const line of this.#body.querySelectorAll<HTMLElement>('[data-fleet-line]')) {
      const cartID = Number(line.dataset.fleetLine);
      if (shown.has(cartID)) lines.set(cartID, line);
      else line.remove();
    }
    return lines;
  }

  #fill(line: HTMLElement, row: FleetRow, index: number): void {
    const ageMs = row.ageMs === null ? null : row.ageMs + performance.now() - this.#receivedAt;
    const shown = fleetLine(row, ageMs);
    const before = this.#order[index];
    if (before !== undefined && before !== row.cartID)
      this.#former.set(line, { cartID: before, untilMs: performance.now() + MOVED_MS });
    line.dataset.fleetLine = String(row.cartID);
    line.setAttribute('aria-rowindex', String(index + 2));
    fill(line, shown);
    setTone(line, shown.tone);
    markAge(line, ageMs, REMOTE_GREY_MS);
    find('form', line)?.setAttribute('action', `/carts/${row.cartID}/stop`);
    find<HTMLAnchorElement>('[data-f-href]', line)?.setAttribute('href', `/?cart=${row.cartID}`);
  }
}

function gapRow(): HTMLTableRowElement {
  const row = document.createElement('tr');
  row.className = 'fleet-gap';
  row.setAttribute('aria-hidden', 'true');
  row.append(document.createElement('td'));
  return row;
}

function gap(row: HTMLTableRowElement, heightPx: number): void {
  row.hidden = heightPx === 0;
  const cell = row.firstElementChild;
  if (cell instanceof HTMLElement) cell.style.height = `${heightPx}px`;
}

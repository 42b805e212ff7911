import { all, find } from '../../web/browser/dom.js';
import { FORGET_MS, type Sight } from './cart-positions.js';
import { BEACON_TEXTS } from './texts.js';

const STALE_MS = 1000;

/** What carts hear, in words: one line a cart, and a cell in the table for each beacon. */
export function drawHeard(sights: readonly Sight[]): void {
  const empty = find('[data-no-heard]');
  if (empty) empty.hidden = sights.length > 0;
  drawList(sights);
  drawCells(sights.filter(({ ageMs }) => ageMs < FORGET_MS));
}

function drawList(sights: readonly Sight[]): void {
  const list = find('[data-heard-list]');
  if (!list) return;
  while (list.children.length < sights.length) list.append(newLine());
  for (const [i, line] of all('li', list).entries()) {
    const sight = sights[i];
    if (!sight) line.remove();
    else drawLine(line, sight);
  }
}

function newLine(): HTMLElement {
  const line = document.createElement('li');
  for (const name of ['name', 'age', 'place', 'more']) {
    const part = document.createElement(name === 'name' ? 'strong' : 'span');
    part.className = `heard-${name}`;
    line.append(part, ' ');
  }
  return line;
}

function drawLine(line: HTMLElement, { name, ageMs, heard, position, why, bearingDeg }: Sight): void {
  const { lat, long, ellipse } = position ?? {};
  const isPlaced = lat !== undefined && long !== undefined && ellipse !== undefined;
  const heads = bearingDeg === undefined ? BEACON_TEXTS.noHeading : BEACON_TEXTS.heads(bearingDeg);
  put(line, 'name', name);
  put(line, 'age', BEACON_TEXTS.ago(ageMs));
  put(line, 'place', isPlaced ? BEACON_TEXTS.place(lat, long) : BEACON_TEXTS.noPosition);
  const more = isPlaced ? [BEACON_TEXTS.within(ellipse.semiMajorM), heads] : [why];
  put(line, 'more', [...more, BEACON_TEXTS.hears(heard.length)].filter(Boolean).join('; '));
  line.toggleAttribute('data-stale', ageMs > STALE_MS);
}

function put(line: HTMLElement, name: string, text: string): void {
  const part = find(`.heard-${name}`, line);
  if (part && part.textContent !== text) part.textContent = text;
}

function drawCells(sights: readonly Sight[]): void {
  for (const cell of all('[data-heard]')) {
    const own = sights.flatMap(({ name, ageMs, heard }) =>
      heard
        .filter(({ id }) => id === cell.dataset.heard)
        .map(({ rssi, distanceM }) => ({ ageMs, text: BEACON_TEXTS.heard(name, rssi, distanceM) })),
    );
    const text = own.map((each) => each.text).join('; ');
    if (cell.textContent !== text) cell.textContent = text;
    cell.toggleAttribute(
      'data-stale',
      own.every(({ ageMs }) => ageMs > STALE_MS),
    );
  }
}

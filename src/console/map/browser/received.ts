import { type LatLong, offsetFrom } from '../../../plan/pure.js';
import { all, find, setHidden, setText } from '../../browser/dom.js';
import { markAge } from '../../browser/live/age.js';
import { offsetText } from '../offset-text.js';
import { type CartTrack, RECENT_MS } from './cart-positions.js';
import { BEACON_TEXTS } from './texts.js';

const STALE_MS = 1000;

export function drawReceived(tracks: readonly CartTrack[], origin: LatLong): void {
  setHidden(find('[data-no-heard]'), tracks.length > 0);
  drawList(tracks, origin);
  drawCells(tracks.filter(({ ageMs }) => ageMs < RECENT_MS));
}

function drawList(tracks: readonly CartTrack[], origin: LatLong): void {
  const list = find('[data-heard-list]');
  if (!list) return;
  while (list.children.length < tracks.length) list.append(newLine());
  for (const [i, line] of all('li', list).entries()) {
    const track = tracks[i];
    if (!track) line.remove();
    else drawLine(line, track, origin);
  }
}

function newLine(): HTMLElement {
  const line = document.createElement('li');
  for (const name of ['name', 'age', 'place', 'coordinates', 'more']) {
    const part = document.createElement(name === 'name' ? 'strong' : 'span');
    part.className = `heard-${name}`;
    line.append(part, ' ');
  }
  return line;
}

function drawLine(line: HTMLElement, track: CartTrack, origin: LatLong): void {
  const { name, ageMs, received, position, reason, bearingDeg } = track;
  const { lat, long, ellipse } = position ?? {};
  const isPlaced = lat !== undefined && long !== undefined && ellipse !== undefined;
  const heading = bearingDeg === undefined ? BEACON_TEXTS.noHeading : BEACON_TEXTS.heading(bearingDeg);
  put(line, 'name', name);
  put(line, 'age', BEACON_TEXTS.ago(ageMs));
  put(line, 'place', isPlaced ? offsetText(offsetFrom(origin, { lat, long })) : BEACON_TEXTS.noPosition);
  put(line, 'coordinates', isPlaced ? BEACON_TEXTS.coordinates(lat, long) : '');
  const details = isPlaced ? [BEACON_TEXTS.within(ellipse.semiMajorM), heading] : [reason];
  put(line, 'more', [...details, BEACON_TEXTS.receives(received.length)].filter(Boolean).join('; '));
  markAge(line, ageMs, STALE_MS);
}

function put(line: HTMLElement, name: string, text: string): void {
  setText(find(`.heard-${name}`, line), text);
}

function drawCells(tracks: readonly CartTrack[]): void {
  for (const cell of all('[data-heard]')) {
    const own = tracks.flatMap(({ name, ageMs, received }) =>
      received
        .filter(({ id }) => id === cell.dataset.heard)
        .map(({ rssi, distanceM }) => ({ ageMs, text: BEACON_TEXTS.received(name, rssi, distanceM) })),
    );
    setText(cell, own.map((each) => each.text).join('; '));
    markAge(cell, Math.min(...own.map(({ ageMs }) => ageMs)), STALE_MS);
  }
}

import type { CartView } from '../../carts/command/model.js';
import { moreStopped, STOPPED_SHOWN } from '../../carts/labels/fleet-labels.js';
import { freshness, mayReset, safetySentence, safetyTone } from '../../carts/labels/labels.js';
import { cartLabel } from '../../carts/labels/stop-labels.js';
import { ageText } from '../../i18n/format.js';
import { clearAnswer } from './answer.js';
import { all, copyOf, fill, find, showText, tone } from './dom.js';
import type { StateStore } from './live/state-store.js';
import { TEXTS } from './texts.js';

let spoken = '';

/** The selected cart first, then every other cart that is latched. Elements are kept, so that a hold is not interrupted. */
export function drawBands(picture: StateStore): void {
  const { selected } = picture;
  const main = find('[data-band-main] [data-band-cart]');
  if (main && selected) {
    drawBand(main, selected, picture);
    const sentence = `${selected.name}: ${safetySentence(selected, undefined, isDriver())}`;
    const loud = safetyTone(selected);
    const news = selected.moving ? `${selected.name}: ${loud}` : sentence;
    if (news !== spoken) showText(find('[data-live="say"]'), sentence);
    spoken = news;
  } else if (main) drawAge(main, picture.lostForMs() || null, picture.lostForMs() > 0);
  if (![...picture.carts.values()].some(({ safety }) => safety.emergencyStop !== 'NONE'))
    clearAnswer('reset');
  const others = [...picture.carts.values()].filter(
    ({ cartID, safety }) => cartID !== picture.selectedID && safety.emergencyStop !== 'NONE',
  );
  drawOthers(others.slice(0, STOPPED_SHOWN), picture);
  const more = moreStopped(others.length);
  showText(find('[data-more-stopped-text]'), more);
  find('[data-more-stopped]')?.toggleAttribute('hidden', more === '');
}

/** Only a visitor who may reset carts is given the buttons for it. */
function isDriver(): boolean {
  return find('[data-reset]') !== undefined;
}

function drawOthers(others: readonly CartView[], picture: StateStore): void {
  const box = find('[data-band-others]');
  if (!box) return;
  for (const element of all('[data-band-cart]', box)) {
    if (!others.some(({ cartID }) => String(cartID) === element.dataset.bandCart)) element.remove();
  }
  for (const cart of others) {
    const known = find(`[data-band-cart="${cart.cartID}"]`, box) ?? copyOf('band-template');
    if (!known) continue;
    if (!known.isConnected) box.append(known);
    drawBand(known, cart, picture);
  }
}

function drawBand(element: HTMLElement, cart: CartView, picture: StateStore): void {
  element.dataset.bandCart = String(cart.cartID);
  const reset = find<HTMLFormElement>('[data-reset]', element);
  fill(element, { name: cart.name, text: safetySentence(cart, picture.commandOf(cart), isDriver()) });
  tone(element, safetyTone(cart));
  const ageMs = picture.ageMs(cart.cartID);
  drawAge(element, ageMs, ageMs === null || ageMs > freshness(cart).greyMs);
  if (!reset) return;
  reset.hidden = !mayReset(cart);
  const fields = { cartID: String(cart.cartID), stoppedAt: cart.safety.stoppedAt ?? '' };
  for (const [name, value] of Object.entries(fields)) {
    const field = find<HTMLInputElement>(`[name="${name}"]`, reset);
    if (field) field.value = value;
  }
}

function drawAge(band: HTMLElement, ageMs: number | null, isStale: boolean): void {
  band.toggleAttribute('data-stale', isStale);
  const age = ageMs === null ? TEXTS.neverHeard : TEXTS.heard(ageText(ageMs));
  showText(find('[data-age]', band), isStale ? age : '');
}

/** Shows each other cart that this operator moves, with its own Stop. */
export function drawMoving({ moves, selectedID }: StateStore): void {
  const box = find('[data-also-moving]');
  if (!box || !moves) return;
  const { principal } = document.body.dataset;
  const others = moves.filter(({ cartID, by }) => by === principal && cartID !== selectedID);
  for (const element of all('[data-moving-cart]', box)) {
    if (!others.some(({ cartID }) => String(cartID) === element.dataset.movingCart)) element.remove();
  }
  for (const cart of others) {
    if (find(`[data-moving-cart="${cart.cartID}"]`, box)) continue;
    const band = copyOf('moving-template');
    if (!band) return;
    band.dataset.movingCart = String(cart.cartID);
    fill(band, { label: cartLabel(cart) });
    find('form', band)?.setAttribute('action', `/carts/${cart.cartID}/stop`);
    box.append(band);
  }
}

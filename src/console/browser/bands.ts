import { type CartView, cartLabel } from '../../carts/pure.js';
import { ageText, dataAgeText } from '../../i18n/format.js';
import { cartRow, modeText } from '../labels/cart-rows.js';
import { moreStopped, motionNow, otherStopped, stoppedShown } from '../labels/fleet-labels.js';
import { freshness, mayReset, safetySentence, safetyTone } from '../labels/labels.js';
import { clearAnswer } from './answer.js';
import { all, cloneTemplate, fill, find, setAttribute, setHidden, setTone, showText } from './dom.js';
import { markAge } from './live/age.js';
import type { StateStore } from './live/state-store.js';
import { endEstopPending, isEstopPending } from './stop.js';
import { TEXTS } from './texts.js';

let announced = '';
/** ID of the command that the selected cart executed last. */
let executed: string | undefined;

/** Reuses existing elements, so that an update does not interrupt the hold of a Reset button. */
export function drawBands(state: StateStore): void {
  const { selected } = state;
  const latched = [...state.carts.values()].filter(isLatched);
  const isListed = latched.length > 1;
  if (selected && isLatched(selected)) endEstopPending();
  const main = find('[data-band-main] [data-band-cart]');
  if (main && selected) {
    drawBand(main, selected, state, isListed);
    drawStatus(selected, state);
    // A new motion removes the result of the last stop, because the result hides the mode, battery level and data age.
    if (selected.moving && selected.commandId !== executed) {
      executed = selected.commandId;
      clearAnswer('stop');
    }
    const sentence = `${selected.name}: ${safetySentence(selected, undefined, isDriver())}`;
    // While the cart moves, the text changes constantly, so screen readers announce only a change of severity.
    const announcement = selected.moving ? `${selected.name}: ${safetyTone(selected)}` : sentence;
    if (announcement !== announced) showText(find('[data-live="say"]'), sentence);
    announced = announcement;
  } else if (main) drawAge(main, state.lostForMs(), 0);
  if (main && isEstopPending()) drawPressed(main);
  // The red band makes the Stop all message redundant, and the removal of the band makes the reset message redundant.
  clearAnswer(latched.length === 0 ? 'reset' : 'estop');
  const others = latched.filter(({ cartID }) => cartID !== state.selectedID);
  drawOthers(others.slice(0, stoppedShown(others.length)), state, isListed);
  drawOthersHeading(others);
  const more = moreStopped(others.length);
  showText(find('[data-more-stopped-text]'), more);
  find('[data-more-stopped]')?.toggleAttribute('hidden', more === '');
}

/** The gateway has not confirmed the stop yet, so the band does not claim that the carts have stopped. */
function drawPressed(band: HTMLElement): void {
  showText(find('[data-f="text"]', band), TEXTS.estopPressed);
  setTone(band, 'stop');
}

function isLatched({ safety }: CartView): boolean {
  return safety.emergencyStop !== 'NONE';
}

/** Only operators' pages contain Reset buttons. */
function isDriver(): boolean {
  return find('[data-reset]') !== undefined;
}

function drawOthers(others: readonly CartView[], state: StateStore, isListed: boolean): void {
  const box = find('[data-band-others]');
  if (!box) return;
  for (const element of all('[data-band-cart]', box)) {
    if (!others.some(({ cartID }) => String(cartID) === element.dataset.bandCart)) element.remove();
  }
  for (const cart of others) {
    const band = find(`[data-band-cart="${cart.cartID}"]`, box) ?? cloneTemplate('band-template');
    if (!band) continue;
    if (!band.isConnected) box.insertBefore(band, find('[data-more-stopped]', box) ?? null);
    drawBand(band, cart, state, isListed);
  }
}

/**
 * A single cart has no heading and is always shown. For several carts, the heading names them and opens the list.
 */
function drawOthersHeading(others: readonly CartView[]): void {
  const list = find<HTMLDetailsElement>('[data-band-others]');
  if (!list) return;
  showText(find('[data-other-stopped]', list), otherStopped(others));
  const isSingle = others.length < 2;
  if (list.hasAttribute('data-single') === isSingle) return;
  list.toggleAttribute('data-single', isSingle);
  list.open = isSingle;
}

function drawBand(element: HTMLElement, cart: CartView, state: StateStore, isListed: boolean): void {
  setAttribute(element, 'data-band-cart', String(cart.cartID));
  const reset = find<HTMLFormElement>('[data-reset]', element);
  const text = safetySentence(cart, state.commandOf(cart), isDriver(), isListed);
  fill(element, { name: cart.name, text });
  setTone(element, safetyTone(cart));
  const ageMs = state.ageMs(cart.cartID);
  drawAge(element, ageMs, freshness(cart).greyMs);
  if (!reset) return;
  setHidden(reset, !mayReset(cart));
  const fields = { cartID: String(cart.cartID), stoppedAt: cart.safety.stoppedAt ?? '' };
  for (const [name, value] of Object.entries(fields)) {
    const field = find<HTMLInputElement>(`[name="${name}"]`, reset);
    if (field) field.value = value;
  }
}

/** Updates the mode, battery level and data age of the selected cart. */
function drawStatus(cart: CartView, state: StateStore): void {
  const line = find('[data-status]');
  if (!line) return;
  const { battery } = cartRow(cart);
  const ageMs = state.ageMs(cart.cartID);
  const mode = modeText(cart, state.commandOf(cart));
  fill(line, { mode, battery, age: ageMs === null ? TEXTS.noDataYet : dataAgeText(ageMs) });
  markAge(line, ageMs, freshness(cart).greyMs);
}

function drawAge(band: HTMLElement, ageMs: number | null, greyMs: number): void {
  const isStale = markAge(band, ageMs, greyMs);
  const age = ageMs === null ? TEXTS.noDataYet : TEXTS.lastUpdate(ageText(ageMs));
  showText(find('[data-age]', band), isStale ? age : '');
}

/**
 * Shows a Stop button for each other cart that this operator is moving. The button remains while the cart sends no
 * data, because the cart may still be moving.
 */
export function drawMoving(state: StateStore): void {
  const { moves, selectedID, carts } = state;
  const box = find('[data-also-moving]');
  if (!box || !moves) return;
  const { principal } = document.body.dataset;
  // The events contain only names. If a user has the same name as an API key, such as `key tablet`, the page also shows
  // Stop buttons for the key's carts. The gateway uses the actor to decide which carts this operator's stop applies to.
  const others = moves.filter(({ cartID, by }) => by === principal && cartID !== selectedID);
  for (const element of all('[data-moving-cart]', box)) {
    if (!others.some(({ cartID }) => String(cartID) === element.dataset.movingCart)) element.remove();
  }
  for (const cart of others) {
    const { cartID } = cart;
    const band = find(`[data-moving-cart="${cartID}"]`, box) ?? cloneTemplate('moving-template');
    if (!band) return;
    if (!band.isConnected) {
      band.dataset.movingCart = String(cartID);
      find('form', band)?.setAttribute('action', `/carts/${cartID}/stop`);
      box.append(band);
    }
    const view = carts.get(cartID);
    // If there is no data about the cart, the band relies on the list of moves, which is as old as the latest event.
    if (view) drawAge(band, state.ageMs(cartID), freshness(view).greyMs);
    else drawAge(band, state.lostForMs(), 0);
    const isNow = !band.hasAttribute('data-stale') && view?.online !== false;
    fill(band, { label: cartLabel(cart), motion: motionNow(isNow) });
  }
}

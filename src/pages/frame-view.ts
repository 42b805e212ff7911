import type { CartView } from '../carts/model.js';
import { cartRow } from '../carts/rows.js';
import {
  ageText,
  brokerSaid,
  cameraTold,
  freshness,
  linkSaid,
  type Said,
  safetySentence,
  safetyTone,
  timeOfDay,
  upperFirst,
} from '../carts/words.js';
import { moreStopped, STOPPED_SHOWN } from '../carts/words-fleet.js';
import { told } from '../language/live.js';
import { all, copyOf, fill, find, say, tone } from './dom.js';
import type { Picture } from './picture.js';
import { TEXTS } from './texts.js';

const RESTART_SHOWN_MS = 30_000;
let spoken = '';

/** Keeps the frame of the page true: lights, safety sentences, the bands about the connection. */
export function drawFrame(picture: Picture): void {
  const lostMs = picture.lostForMs();
  const { loggedOut } = picture;
  say(find('[data-live="lost"]'), lostMs > 0 && !loggedOut ? TEXTS.lost(lostMs) : '');
  find('[data-live="logged-out"]')?.toggleAttribute('hidden', !loggedOut);
  const restarted = picture.restartedAt ?? 0;
  const recent = Date.now() - restarted < RESTART_SHOWN_MS;
  say(find('[data-live="restarted"]'), recent ? TEXTS.restarted(timeOfDay(restarted)) : '');
  drawLights(picture);
  drawBands(picture);
  drawStopTarget(picture.selected);
}

function drawLights(picture: Picture): void {
  const own = picture.carts.get(Number(document.body.dataset.ownCartId));
  const { links } = picture;
  if (own) {
    const { link } = own;
    light('controller', { ...linkSaid(link), reason: upperFirst(told(link?.reason ?? '')) }, link?.simulated);
    light('battery', { tone: 'quiet', text: '', battery: cartRow(own).battery });
  }
  if (links) {
    const { broker, camera } = links;
    light('camera', { ...cameraTold(camera) }, camera.simulated);
    const badge = find('[data-camera-sim]');
    if (badge) badge.hidden = !camera.simulated;
    light('broker', {
      ...brokerSaid(broker),
      reason: broker.connected ? broker.url : upperFirst(told(broker.reason)),
    });
  }
}

function light(key: string, row: Said & Record<string, unknown>, simulated = false): void {
  const element = find(`[data-light="${key}"]`);
  if (!element) return;
  fill(element, row);
  tone(element, row.tone);
  const badge = find('[data-sim]', element);
  if (badge) badge.hidden = !simulated;
}

/** The cart in view first, then every other one that stands latched. Elements are kept, so that a hold is not cut. */
function drawBands(picture: Picture): void {
  const { selected } = picture;
  const main = find('[data-band-main] [data-band-cart]');
  if (main && selected) {
    drawBand(main, selected, picture);
    const sentence = `${selected.name}: ${safetySentence(selected)}`;
    const loud = safetyTone(selected);
    const news = selected.moving ? `${selected.name}: ${loud}` : sentence;
    if (news !== spoken) say(find('[data-live="say"]'), sentence);
    spoken = news;
  }
  const others = [...picture.carts.values()].filter(
    ({ cartID, safety }) => cartID !== picture.selectedID && safety.emergencyStop !== 'NONE',
  );
  drawOthers(others.slice(0, STOPPED_SHOWN), picture);
  const more = moreStopped(others.length);
  say(find('[data-more-stopped-text]'), more);
  find('[data-more-stopped]')?.toggleAttribute('hidden', more === '');
}

function drawOthers(others: readonly CartView[], picture: Picture): void {
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

function drawBand(element: HTMLElement, cart: CartView, picture: Picture): void {
  element.dataset.bandCart = String(cart.cartID);
  fill(element, { name: cart.name, text: safetySentence(cart, picture.commandOf(cart)) });
  tone(element, safetyTone(cart));
  const ageMs = picture.ageMs(cart.cartID);
  const stale = ageMs === null || ageMs > freshness(cart).greyMs;
  element.toggleAttribute('data-stale', stale);
  const age = ageMs === null ? TEXTS.neverHeard : TEXTS.heard(ageText(ageMs));
  say(find('[data-age]', element), stale ? age : '');
  const reset = find<HTMLFormElement>('[data-reset]', element);
  if (!reset) return;
  reset.hidden = cart.safety.emergencyStop === 'NONE';
  const fields = { cartID: String(cart.cartID), stoppedAt: cart.safety.stoppedAt ?? '' };
  for (const [name, value] of Object.entries(fields)) {
    const field = find<HTMLInputElement>(`[name="${name}"]`, reset);
    if (field) field.value = value;
  }
}

function drawStopTarget(selected: CartView | undefined): void {
  if (!selected) return;
  const form = find<HTMLFormElement>('[data-stop]');
  if (form) form.action = `/carts/${selected.cartID}/stop`;
  say(find('[data-live="stop-name"]'), selected.name);
}

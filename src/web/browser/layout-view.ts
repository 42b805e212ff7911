import type { CartView } from '../../carts/command/model.js';
import { cartRow } from '../../carts/labels/cart-rows.js';
import { cameraName, controllerName, moreStopped, STOPPED_SHOWN } from '../../carts/labels/fleet-labels.js';
import {
  brokerSaid,
  cameraTold,
  freshness,
  linkSaid,
  mayReset,
  safetySentence,
  safetyTone,
} from '../../carts/labels/labels.js';
import { cartLabel, pendingSentence } from '../../carts/labels/stop-labels.js';
import { ageText, type StatusText, timeOfDay, upperFirst } from '../../i18n/format.js';
import { told } from '../../i18n/live.js';
import { clearAnswer } from './answer.js';
import { all, copyOf, fill, find, say, tone } from './dom.js';
import type { StateStore } from './live/state-store.js';
import { TEXTS } from './texts.js';

const RESTART_SHOWN_MS = 30_000;
let spoken = '';

/** Keeps the frame of the page true: lights, safety sentences, the bands about the connection. */
export function drawFrame(picture: StateStore): void {
  const lostMs = picture.lostForMs();
  const { loggedOut } = picture;
  say(find('[data-live="lost"]'), lostMs > 0 && !loggedOut ? TEXTS.lost(lostMs) : '');
  drawLoggedOut(picture);
  const restarted = picture.restartedAt ?? 0;
  const recent = Date.now() - restarted < RESTART_SHOWN_MS;
  say(find('[data-live="restarted"]'), recent ? TEXTS.restarted(timeOfDay(restarted)) : '');
  const pending = pendingSentence(picture.carts.values());
  say(find('[data-live="stop-pending"]'), pending);
  // The band of the live page takes the place of the answer.
  if (pending) clearAnswer('stop');
  drawLights(picture);
  drawLightsAge(lostMs);
  drawBands(picture);
}

/** While its stop token is good, a page without a session can still stop carts. */
function drawLoggedOut(picture: StateStore): void {
  const { loggedOut } = picture;
  const leftMs = picture.stopsForMs();
  find('[data-live="logged-out"]')?.toggleAttribute('hidden', !loggedOut || leftMs > 0);
  find('[data-live="session-expired"]')?.toggleAttribute('hidden', !loggedOut || leftMs === 0);
  say(find('[data-live="stops-for"]'), leftMs > 0 ? TEXTS.stopsFor(leftMs) : '');
}

function drawLights(picture: StateStore): void {
  const own = picture.carts.get(Number(document.body.dataset.ownCartId));
  const { links, selected } = picture;
  const ownLabel = own && picture.selectedID !== own.cartID ? cartLabel(own) : '';
  if (selected) light('battery', { tone: 'quiet', text: '', battery: cartRow(selected).battery });
  if (own) {
    const { link } = own;
    light(
      'controller',
      { name: controllerName(ownLabel), ...linkSaid(link), reason: upperFirst(told(link?.reason ?? '')) },
      link?.simulated,
    );
  }
  if (links) {
    const { broker, camera } = links;
    light('camera', { name: cameraName(ownLabel), ...cameraTold(camera) }, camera.simulated);
    say(find('[data-live="camera-name"]'), cameraName(ownLabel));
    const badge = find('[data-camera-sim]');
    if (badge) badge.hidden = !camera.simulated;
    light('broker', {
      ...brokerSaid(broker),
      reason: broker.connected ? broker.url : upperFirst(told(broker.reason)),
    });
  }
}

/** What the lights show came over the connection that is lost: all of it is as old as that. */
function drawLightsAge(lostMs: number): void {
  find('.lights')?.toggleAttribute('data-stale', lostMs > 0);
  say(find('[data-live="lights-age"]'), lostMs > 0 ? TEXTS.lastKnown(ageText(lostMs)) : '');
}

function light(key: string, row: StatusText & Record<string, unknown>, simulated = false): void {
  const element = find(`[data-light="${key}"]`);
  if (!element) return;
  fill(element, row);
  if (row.name !== undefined) say(find('.light-name', element), String(row.name));
  tone(element, row.tone);
  const badge = find('[data-sim]', element);
  if (badge) badge.hidden = !simulated;
}

/** The cart in view first, then every other one that stands latched. Elements are kept, so that a hold is not cut. */
function drawBands(picture: StateStore): void {
  const { selected } = picture;
  const main = find('[data-band-main] [data-band-cart]');
  if (main && selected) {
    drawBand(main, selected, picture);
    const sentence = `${selected.name}: ${safetySentence(selected, undefined, isDriver())}`;
    const loud = safetyTone(selected);
    const news = selected.moving ? `${selected.name}: ${loud}` : sentence;
    if (news !== spoken) say(find('[data-live="say"]'), sentence);
    spoken = news;
  } else if (main) drawAge(main, picture.lostForMs() || null, picture.lostForMs() > 0);
  if (![...picture.carts.values()].some(({ safety }) => safety.emergencyStop !== 'NONE'))
    clearAnswer('reset');
  const others = [...picture.carts.values()].filter(
    ({ cartID, safety }) => cartID !== picture.selectedID && safety.emergencyStop !== 'NONE',
  );
  drawOthers(others.slice(0, STOPPED_SHOWN), picture);
  const more = moreStopped(others.length);
  say(find('[data-more-stopped-text]'), more);
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
  say(find('[data-age]', band), isStale ? age : '');
}

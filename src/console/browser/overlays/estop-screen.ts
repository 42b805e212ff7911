import { type CartView, cartLabel, cartLabels } from '../../../carts/pure.js';
import { estopHeading, estopNext } from '../../labels/fleet-labels.js';
import { mayReset } from '../../labels/labels.js';
import { showAnswer } from '../answer.js';
import { find, setAttribute, setHidden, showText } from '../dom.js';
import { initHoldButtons } from '../hold.js';
import type { StateStore } from '../live/state-store.js';
import { post, type Reply } from '../post.js';
import { TEXTS } from '../texts.js';

const VIBRATION_MS = [300, 150, 300];
const BEEP_HZ = 880;
const BEEP_S = 0.4;

let announced: ReadonlySet<number> | undefined;
let known: ReadonlyMap<number, CartView> = new Map();

/** Reset and Reset all must be held, so that an accidental touch does not reset a stop. */
export function initEstopScreen(): void {
  initHoldButtons({
    buttons: '[data-reset] button',
    question: TEXTS.confirmReset,
    done: (_button, fields) => void resetOne(fields),
    early: () => showAnswer(TEXTS.holdReset, 'quiet', 'reset'),
  });
  initHoldButtons({
    buttons: '[data-reset-all] button',
    question: TEXTS.confirmResetAll,
    done: (_button, latches) => void resetAll(latches),
    early: () => showAnswer(TEXTS.holdResetAll, 'quiet', 'reset'),
  });
  find('[data-estop-close]')?.addEventListener('click', () => showScreen(false));
}

/**
 * Shows how many carts have a latched stop. A newly latched stop also opens the full-screen view, with sound and
 * vibration.
 */
export function drawEstopScreen({ carts }: StateStore): void {
  // If the view were drawn before the first data arrived, an earlier stop would then count as new.
  if (carts.size === 0) return;
  known = carts;
  const latched = [...carts.values()].filter(({ safety }) => safety.emergencyStop !== 'NONE');
  showText(find('[data-estop-heading]'), estopHeading(latched, carts.size));
  showText(find('[data-estop-next]'), estopNext(latched, find('[data-reset]') !== undefined));
  const summary = find('[data-estop-summary]');
  summary?.toggleAttribute('hidden', latched.length === 0);
  setAttribute(summary, 'data-estop-count', String(latched.length));
  drawResetAll(latched.filter(mayReset));
  if (latched.length === 0) showScreen(false);
  const isNew = announced !== undefined && latched.some(({ cartID }) => !announced?.has(cartID));
  announced = new Set(latched.map(({ cartID }) => cartID));
  if (!isNew) return;
  showScreen(true);
  navigator.vibrate?.(VIBRATION_MS);
  // Opening the audio output takes 15 ms on a slow processor, so the frame with the band is drawn first.
  setTimeout(beep);
}

/**
 * Writes the time of each stop to the form of Reset all, so that a reset applies only to stops that the operator saw.
 */
function drawResetAll(carts: readonly CartView[]): void {
  const form = find('[data-reset-all]');
  if (!form) return;
  setHidden(form, carts.length < 2);
  const latches = carts.map(({ cartID, safety }) => `${cartID} ${safety.stoppedAt ?? ''}`).join();
  if (form.dataset.latches === latches) return;
  form.dataset.latches = latches;
  const fields = carts.map(({ cartID, safety }) => {
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: String(cartID), value: safety.stoppedAt ?? '' });
    return field;
  });
  find('[data-latches]', form)?.replaceChildren(...fields);
}

/** @param fields the cart and the time of its stop, as shown when the hold began. */
function sendReset(fields: URLSearchParams): Promise<Reply> {
  return post('/estop/reset', fields, { timeoutMs: 4000 });
}

async function resetOne(fields: URLSearchParams): Promise<void> {
  const reply = await sendReset(fields);
  const cart = cartOf(fields.get('cartID'));
  if (reply.ok) return showAnswer(TEXTS.resetTaken(cartLabel(cart)));
  const why = reply.status === 0 ? TEXTS.cannotReach : `${reply.message}. ${reply.hint}`;
  showAnswer(`${cartLabel(cart)}: ${why.trim()}`, 'stop', reply.status === 0 ? 'connection' : 'reset');
}

async function resetAll(latches: URLSearchParams): Promise<void> {
  const replies = await Promise.all(
    [...latches].map(async ([cartID, stoppedAt]) => {
      return { cartID, ...(await sendReset(new URLSearchParams({ cartID, stoppedAt }))) };
    }),
  );
  const failed = replies.filter(({ ok }) => !ok);
  if (failed.length === 0) {
    return showAnswer(TEXTS.resetAllTaken(cartLabels(replies.map(({ cartID }) => cartOf(cartID)))));
  }
  const reasons = failed.map(({ cartID, status, message }) => {
    return `${cartLabel(cartOf(cartID))}: ${status === 0 ? TEXTS.cannotReach : message}`;
  });
  const isUnreachable = failed.every(({ status }) => status === 0);
  showAnswer(reasons.join('. '), 'stop', isUnreachable ? 'connection' : 'reset');
}

function cartOf(text: string | null): Pick<CartView, 'cartID' | 'name'> {
  const cartID = Number(text);
  return known.get(cartID) ?? { cartID, name: TEXTS.cart(cartID) };
}

/** Opens or closes the full-screen view, which lists every stopped cart and is shown only on phones. */
function showScreen(isOpen: boolean): void {
  document.body.toggleAttribute('data-estop-screen', isOpen);
  const others = find<HTMLDetailsElement>('[data-band-others]:not([data-single])');
  if (others && matchMedia('(max-width: 640px)').matches) others.open = isOpen;
}

/** Browsers permit sound only after the user has interacted with the page. */
function beep(): void {
  try {
    const context = new AudioContext();
    const tone = new OscillatorNode(context, { frequency: BEEP_HZ, type: 'square' });
    tone.connect(new GainNode(context, { gain: 0.2 })).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + BEEP_S);
    tone.onended = () => void context.close();
  } catch {
    // No sound is played if the browser has no audio output.
  }
}

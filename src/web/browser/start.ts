import { upperFirst } from '../../i18n/format.js';
import { showAnswer } from './answer.js';
import { drawMoving } from './bands.js';
import { find, revealScripted } from './dom.js';
import { initHoldButtons } from './hold.js';
import { registerServiceWorker } from './install-app.js';
import { drawLayout } from './layout-view.js';
import { initialSelection, syncSelection } from './live/selected-cart.js';
import { StateStore } from './live/state-store.js';
import { drawEstopScreen, initEstopScreen } from './overlays/estop-screen.js';
import { initPalette } from './overlays/palette.js';
import { post } from './post.js';
import { initStops } from './stop.js';
import { TEXTS } from './texts.js';
import { drawTrial, initTrial } from './trial.js';

/** Initialises the stop buttons first, so that they work even if something else fails. */
export function startLayout(): StateStore {
  initStops();
  initResets();
  initEstopScreen();
  initTrial();
  revealScripted();
  initPalette();
  followTop();
  const state = new StateStore(initialSelection());
  syncSelection(state);
  state.onDraw(drawLayout);
  state.onDraw(drawEstopScreen);
  state.onDraw(drawMoving);
  state.onDraw(drawTrial);
  state.start();
  registerServiceWorker();
  return state;
}

/**
 * Keeps `--top` equal to the height of the top bar, for sticky elements below it. The bar grows when a status
 * light shows a reason.
 */
function followTop(): void {
  const top = find('body > .top');
  if (!top) return;
  const update = (): void => document.body.style.setProperty('--top', `${top.offsetHeight}px`);
  new ResizeObserver(update).observe(top);
}

/** Reset must be held, so that an accidental touch does not reset an E-stop. */
function initResets(): void {
  initHoldButtons({
    buttons: '[data-reset] button',
    question: TEXTS.confirmReset,
    done: (button, fields) => void sendReset(button, fields),
    early: () => showAnswer(TEXTS.holdReset, 'quiet', 'reset'),
  });
}

async function sendReset(button: HTMLElement, fields: URLSearchParams): Promise<void> {
  const form = button.closest('form');
  if (!form) return;
  const reply = await post(form.action, fields, { timeoutMs: 4000 });
  if (reply.ok) return showAnswer(TEXTS.resetTaken);
  const why = reply.status === 0 ? TEXTS.cannotReach : `${upperFirst(reply.message)}. ${reply.hint}`;
  showAnswer(why.trim(), 'stop', 'reset');
}

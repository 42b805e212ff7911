import { upperFirst } from '../../i18n/format.js';
import { showAnswer } from './answer.js';
import { drawMoving } from './bands.js';
import { find, revealScripted } from './dom.js';
import { initHoldButtons } from './hold.js';
import { drawLayout } from './layout-view.js';
import { firstSelected, followSelected } from './live/selected-cart.js';
import { StateStore } from './live/state-store.js';
import { post } from './post.js';
import { initStops } from './stop.js';
import { TEXTS } from './texts.js';
import { drawTrial, initTrial } from './trial.js';

/** Makes the layout of a page live. Stops come first: they need nothing else to work. */
export function startLayout(): StateStore {
  initStops();
  initResets();
  initTrial();
  revealScripted();
  showCurrentPage();
  followTop();
  const picture = new StateStore(firstSelected());
  followSelected(picture);
  picture.onDraw(drawLayout);
  picture.onDraw(drawMoving);
  picture.onDraw(drawTrial);
  picture.start();
  return picture;
}

/** On a phone the list of pages scrolls sideways: scrolls to the open one. */
function showCurrentPage(): void {
  const current = document.querySelector<HTMLElement>('.nav [aria-current]');
  const list = current?.closest('ul');
  if (list) list.scrollLeft = (current?.offsetLeft ?? 0) - list.clientWidth / 3;
}

/** The top bar grows when a light shows a reason; what is sticky below it has to know its height. */
function followTop(): void {
  const top = find('body > .top');
  if (!top) return;
  const update = (): void => document.body.style.setProperty('--top', `${top.offsetHeight}px`);
  new ResizeObserver(update).observe(top);
}

/** Reset needs a hold, so that a stray touch does not end an emergency stop. */
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

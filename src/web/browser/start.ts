import { find, revealScripted } from './dom.js';
import { drawFrame } from './layout-view.js';
import { drawMoving } from './live/moving.js';
import { firstSelected, followSelected } from './live/selected-cart.js';
import { StateStore } from './live/state-store.js';
import { armResets } from './reset.js';
import { armStops } from './stop.js';
import { armTrial, drawTrial } from './trial.js';

/** Makes the frame of a page live: first the stops, which need nothing else to work. */
export function startFrame(): StateStore {
  armStops();
  armResets();
  armTrial();
  revealScripted();
  showCurrentPage();
  followTop();
  const picture = new StateStore(firstSelected());
  followSelected(picture);
  picture.onDraw(drawFrame);
  picture.onDraw(drawMoving);
  picture.onDraw(drawTrial);
  picture.start();
  return picture;
}

/** On a phone the list of pages scrolls sideways: the one that is open is in sight. */
function showCurrentPage(): void {
  const current = document.querySelector<HTMLElement>('.nav [aria-current]');
  const list = current?.closest('ul');
  if (list) list.scrollLeft = (current?.offsetLeft ?? 0) - list.clientWidth / 3;
}

/** What stays in sight below the top bar must not be covered by it: the bar grows when a light has something to say. */
function followTop(): void {
  const top = find('body > .top');
  if (!top) return;
  const tell = (): void => document.body.style.setProperty('--top', `${top.offsetHeight}px`);
  new ResizeObserver(tell).observe(top);
}

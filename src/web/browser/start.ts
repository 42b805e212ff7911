import { drawMoving } from './bands.js';
import { find, revealScripted } from './dom.js';
import { registerServiceWorker } from './install-app.js';
import { drawLayout } from './layout-view.js';
import { initialSelection, syncSelection } from './live/selected-cart.js';
import { StateStore } from './live/state-store.js';
import { drawEstopScreen, initEstopScreen } from './overlays/estop-screen.js';
import { initPalette } from './overlays/palette.js';
import { initPopovers } from './overlays/popovers.js';
import { initStops } from './stop.js';
import { drawTrial, initTrial } from './trial.js';

/** Initialises the stop buttons first, so that they work even if something else fails. */
export function startLayout(): StateStore {
  initStops();
  initEstopScreen();
  initTrial();
  revealScripted();
  initPopovers();
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

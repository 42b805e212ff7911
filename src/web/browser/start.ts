import { drawBands, drawMoving } from './bands.js';
import { find, revealScripted } from './dom.js';
import { registerServiceWorker } from './install-app.js';
import { drawLayout } from './layout-view.js';
import { initialSelection, syncSelection } from './live/selected-cart.js';
import { StateStore } from './live/state-store.js';
import { drawEstopScreen, initEstopScreen } from './overlays/estop-screen.js';
import { initPalette } from './overlays/palette.js';
import { initPopovers } from './overlays/popovers.js';
import { initStops, onEstopPending } from './stop.js';
import { drawTrial, initTrial } from './trial.js';

/** Initialises the stop buttons first, so that they work even if a later step fails. */
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
  onEstopPending(() => {
    // The band turns red immediately; the other views follow in the next frame.
    drawBands(state);
    state.draw();
  });
  state.start();
  registerServiceWorker();
  return state;
}

/** Keeps `--top` equal to the height of the top bar, which grows when a status light shows a reason. */
function followTop(): void {
  const top = find('body > .top');
  if (!top) return;
  const update = (): void => {
    const height = `${top.offsetHeight}px`;
    // Setting the property makes the browser recalculate the styles of all elements.
    if (getComputedStyle(document.body).getPropertyValue('--top') === height) return;
    document.body.style.setProperty('--top', height);
  };
  new ResizeObserver(update).observe(top);
}

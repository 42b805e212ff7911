import { isOtherZone } from '../../i18n/format.js';
import { drawBands, drawMoving } from './bands.js';
import { all, find, revealScripted } from './dom.js';
import { drawLayout } from './layout-view.js';
import { initialSelection, syncSelection } from './live/selected-cart.js';
import { StateStore } from './live/state-store.js';
import { drawEstopScreen, initEstopScreen } from './overlays/estop-screen.js';
import { initPalette } from './overlays/palette.js';
import { initPopovers } from './overlays/popovers.js';
import { initStops, onEstopPending } from './stop.js';
import { drawTrial, initTrial } from './trial.js';
import { drawZoneOverride, initZoneOverride } from './zone-override.js';

const NUMBER = 'input:is(.num, [type="number"], [inputmode="decimal"])';

/**
 * Selects the content of a number field that receives the focus. Otherwise, a tap on the right-aligned 0 would place
 * the caret before the 0, and typing 300 would result in 3000.
 */
function selectNumbers(): void {
  let pressed: EventTarget | null;
  const select = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement && target.matches(NUMBER)) target.select();
  };
  addEventListener('focusin', select);
  addEventListener(
    'pointerdown',
    ({ target }) => (pressed = target === document.activeElement ? null : target),
    true,
  );
  // The press that moves the focus to a field also places the caret, which ends the selection; the click restores it.
  addEventListener('click', (event) => {
    if (event.target === pressed) select(event);
  });
}

/** Registers the service worker, over HTTPS only. */
function registerServiceWorker(): void {
  if (location.protocol !== 'https:' || !('serviceWorker' in navigator)) return;
  // The page also works without the service worker, for example in a private window.
  navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}

/** Initialises the stop buttons first, so that they work even if a later step fails. */
export function startLayout(): StateStore {
  initStops();
  initEstopScreen();
  initTrial();
  initZoneOverride();
  revealScripted();
  selectNumbers();
  initPopovers();
  initPalette();
  followTop();
  find('[data-zone]')?.toggleAttribute('hidden', !isOtherZone());
  const state = new StateStore(initialSelection());
  syncSelection(state);
  state.onDraw(drawLayout);
  state.onDraw(drawEstopScreen);
  state.onDraw(drawMoving);
  state.onDraw(drawTrial);
  state.onDraw(drawZoneOverride);
  onEstopPending(() => {
    // The band turns red immediately; the other views follow in the next frame.
    drawBands(state);
    state.draw();
  });
  state.start();
  registerServiceWorker();
  return state;
}

/**
 * Keeps `--top` equal to the height of the top bar, which grows when a status light shows a reason, and sets the
 * scroll padding, so that no bar at the top of the window covers a link's target.
 */
function followTop(): void {
  const top = find('body > .top');
  if (!top) return;
  // On a wide screen, the top bar and all bands stay at the top of the window; on a narrow one, only `.band-top` does.
  const [bands, first] = all('.bands, .band-top');
  const update = (): void => {
    setLength(document.body, '--top', top.offsetHeight);
    if (!bands || !first) return;
    const isWide = getComputedStyle(top).position === 'sticky';
    if (isWide) return scrollBelow(top.offsetHeight + bands.offsetHeight);
    setLength(first, '--band', first.offsetHeight);
    const hiddenPx = Math.min(0, parseFloat(getComputedStyle(first).top) || 0);
    scrollBelow(first.offsetHeight + hiddenPx);
  };
  const observer = new ResizeObserver(update);
  for (const element of [top, bands, first]) if (element) observer.observe(element);
  addEventListener('resize', update);
}

/**
 * Sets the scroll padding directly, because a custom property on the root element would make the browser recalculate
 * the styles of all elements.
 */
function scrollBelow(px: number): void {
  document.documentElement.style.scrollPaddingTop = `${px + 8}px`;
}

/** Sets a custom property only if it changes, because setting a property makes the browser recalculate styles. */
function setLength(element: HTMLElement, name: string, px: number): void {
  const length = `${px}px`;
  if (getComputedStyle(element).getPropertyValue(name) !== length) element.style.setProperty(name, length);
}

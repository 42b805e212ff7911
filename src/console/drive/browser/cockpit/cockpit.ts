import { cartLabel } from '../../../../carts/pure.js';
import { all, find, setText } from '../../../browser/dom.js';
import type { StateStore } from '../../../browser/live/state-store.js';
import { cameraName } from '../../../labels/fleet-labels.js';
import { remember, remembered } from './remembered.js';

/**
 * The document is the full-screen element, so that the stop buttons, the safety status and the keyboard
 * shortcuts stay in place; the styles hide the rest of the page. Browsers without the Fullscreen API show the
 * same view inside their window.
 */
function initFullScreen(): void {
  const button = find<HTMLButtonElement>('[data-full-screen]');
  if (!button) return;
  const root = document.documentElement;
  const show = (isFull: boolean): void => {
    root.toggleAttribute('data-full-screen-view', isFull);
    button.setAttribute('aria-pressed', String(isFull));
    if (isFull) scrollTo(0, 0);
  };
  button.addEventListener('click', () => {
    const isFull = !root.hasAttribute('data-full-screen-view');
    show(isFull);
    if (!isFull && document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    if (isFull && document.fullscreenEnabled) void root.requestFullscreen().catch(() => undefined);
  });
  document.addEventListener('fullscreenchange', () => {
    if (!document.fullscreenElement) show(false);
  });
}

const TAB_KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export function initCockpit(store: StateStore): void {
  const cockpit = find('[data-cockpit]');
  if (!cockpit) return;
  followTop(cockpit);
  initTabs(cockpit, store);
  initSwap(cockpit);
  initFullScreen();
  store.onDraw(drawCameraLabel);
}

/**
 * Sets the cockpit's distance from the top of the page, and makes the scene begin below the messages that are
 * displayed over the cockpit, so that the messages cover none of the controls.
 */
function followTop(cockpit: HTMLElement): void {
  const [bands, scene] = all('.band-top, .scene');
  const messages = all('.band-top > *, .status > *');
  let shown = 0;
  const update = (): void => {
    const top = Math.round(cockpit.getBoundingClientRect().top + scrollY);
    if (top !== shown) cockpit.style.setProperty('--cockpit-top', `${top}px`);
    shown = top;
    if (!bands || !scene) return;
    const end = Math.max(...[bands, ...messages].map((part) => part.getBoundingClientRect().bottom));
    scene.style.marginTop = `${end - bands.getBoundingClientRect().bottom}px`;
  };
  const observer = new ResizeObserver(update);
  for (const element of all('body, body > .ribbon, body > .top, .band-top, .bands > *, main > .outcome')) {
    observer.observe(element);
  }
  for (const message of messages) observer.observe(message);
}

/** Makes the tabs select a panel. The styles hide the tabs if the screen has room for both panels. */
function initTabs(cockpit: HTMLElement, store: StateStore): void {
  const tabs = all<HTMLButtonElement>('[role="tab"]', cockpit);
  const select = (chosen: HTMLButtonElement): void => {
    cockpit.dataset.task = chosen.dataset.task;
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
  };
  tabs.forEach((tab, at) => {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', ({ key }) => {
      const next = tabs[(at + (TAB_KEYS[key] ?? 0) + tabs.length) % tabs.length];
      if (!next || next === tab) return;
      select(next);
      next.focus();
    });
  });
  // Shows the Move tab for a remote cart, because such a cart cannot be driven manually.
  const move = find<HTMLButtonElement>('#tab-move', cockpit);
  store.onSelect((cartID) => {
    if (move && cartID !== store.ownID) select(move);
  });
}

function initSwap(cockpit: HTMLElement): void {
  const show = (view: string): void => {
    cockpit.dataset.view = view;
    remember('cockpit-view', view);
  };
  if (remembered('cockpit-view') === 'map') cockpit.dataset.view = 'map';
  find('[data-swap]', cockpit)?.addEventListener('click', () => {
    show(cockpit.dataset.view === 'map' ? 'camera' : 'map');
  });
}

/** Names the camera and its cart, and shows a warning if another cart is selected. */
function drawCameraLabel({ own, selectedID }: StateStore): void {
  const label = find('[data-live="camera-name"]');
  if (!own || !label) return;
  setText(label, cameraName(cartLabel(own)));
  label.closest('details')?.toggleAttribute('data-other-cart', own.cartID !== selectedID);
}

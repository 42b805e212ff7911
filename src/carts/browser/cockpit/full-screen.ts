import { find } from '../../../web/browser/dom.js';

/**
 * The document is the full-screen element, so that the stop buttons, the safety status and the keyboard
 * shortcuts stay in place; the styles hide the rest of the page. Browsers without the Fullscreen API show the
 * same view inside their window.
 */
export function initFullScreen(): void {
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

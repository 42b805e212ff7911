import { isPopoverOpen } from '../dom.js';
import { STOPS } from '../stop.js';

/**
 * While a popover is open, a press on the page behind it only closes the popover, so that the press cannot
 * move a cart. Stop buttons always work.
 */
export function initPopovers(): void {
  let isIgnored = false;
  document.addEventListener(
    'pointerdown',
    (event) => {
      isIgnored = isPopoverOpen() && isBehind(event.target);
      if (isIgnored) event.stopImmediatePropagation();
    },
    true,
  );
  // Cancels the click of the ignored press: when the click is dispatched, the popover is already closed.
  document.addEventListener(
    'click',
    (event) => {
      if (!isIgnored || !isBehind(event.target)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
}

function isBehind(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('main') !== null && !target.closest(STOPS);
}

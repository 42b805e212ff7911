import { cartLabel } from '../../../carts/pure.js';
import { clearAnswer } from '../answer.js';
import { all, find, isChanged, showText } from '../dom.js';
import { TEXTS } from '../texts.js';
import type { StateStore } from './state-store.js';

const KEY = 'selected-cart';

interface InitialSelection {
  /** The cart that the page was rendered for. */
  served: number;
  /** True if the URL specifies the cart. */
  isChosen: boolean;
  /** The last cart that was selected in this tab. */
  stored: number | undefined;
  /** The cart that was selected before the page's script started. */
  early: number | undefined;
}

function initialCart({ served, isChosen, stored, early }: InitialSelection): number {
  return early ?? (isChosen ? served : (stored ?? served));
}

/**
 * Returns the ID of the cart to select first: the cart that the operator has already selected on this page, the cart in
 * the URL or the stored cart, in this order.
 */
export function initialSelection(): number {
  const { cartId, cartChosen } = document.body.dataset;
  const hasOthers = all('#selected-cart option').length > 1;
  if (find('[data-live="unknown-cart"]:not([hidden])')) clearStored();
  const stored = hasOthers ? storedCart() : undefined;
  const served = Number(cartId);
  return initialCart({ served, isChosen: cartChosen !== undefined, stored, early: earlyCart() });
}

function earlyCart(): number | undefined {
  const changed = all<HTMLSelectElement>('[data-cart-select]').find(isChanged);
  return changed && Number(changed.value);
}

/** Synchronises the URL, session storage, links, forms, selectors and Stop button with the selected cart. */
export function syncSelection(state: StateStore): void {
  const selectors = all<HTMLSelectElement>('[data-cart-select]');
  if (selectors.length === 0) return;
  const { cartId, cartChosen } = document.body.dataset;
  let isChosen = cartChosen !== undefined || state.selectedID !== Number(cartId);
  for (const element of selectors) {
    element.addEventListener('change', () => {
      isChosen = true;
      showText(find('[data-live="unknown-cart"]'), '');
      clearAnswer('reset');
      state.select(Number(element.value));
    });
  }
  state.onSelect((cartID) => {
    for (const element of selectors) element.value = String(cartID);
    if (isChosen) store(cartID);
    setStopTarget(cartID, find<HTMLSelectElement>('#selected-cart')?.selectedOptions[0]?.text);
  });
  // When the browser restores a page from its history, the page's own cart becomes the selected cart again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isChosen) store(state.selectedID);
  });
  let isChecked = false;
  state.onDraw(({ carts, selected, selectedID }) => {
    if (carts.size === 0) return;
    if (selected) {
      for (const element of selectors) addOption(element, selectedID, cartLabel(selected));
      setStopTarget(selectedID, cartLabel(selected));
    } else if (!isChecked) {
      clearStored();
      const served = carts.get(Number(cartId)) ?? [...carts.values()][0];
      if (!served) return;
      showText(find('[data-live="unknown-cart"]'), TEXTS.unknownCart(selectedID, cartLabel(served)));
      state.select(served.cartID);
    }
    isChecked = true;
  });
}

/** Adds a missing cart to a selector, because the server renders only the first carts of a large fleet. */
function addOption(element: HTMLSelectElement, cartID: number, label: string): void {
  if ([...element.options].some(({ value }) => value === String(cartID))) return;
  element.add(new Option(label, String(cartID)));
  element.value = String(cartID);
}

function setStopTarget(cartID: number, label = TEXTS.cart(cartID)): void {
  const form = find<HTMLFormElement>('[data-stop-selected]');
  if (form) form.action = `/carts/${cartID}/stop`;
  showText(find('[data-live="stop-name"]'), label);
}

function store(cartID: number): void {
  try {
    sessionStorage.setItem(KEY, String(cartID));
  } catch {
    // If session storage is unavailable, only the URL preserves the selection.
  }
  history.replaceState(history.state, '', withCart(location.href, cartID));
  for (const link of all<HTMLAnchorElement>('.nav a, .crumbs a')) link.href = withCart(link.href, cartID);
  // A form that redirects back to the page, such as the language form, must not select another cart.
  for (const field of all<HTMLInputElement>('[name="back"]'))
    field.value = withCart(new URL(field.value, location.href).href, cartID);
}

function withCart(address: string, cartID: number): string {
  const url = new URL(address);
  url.searchParams.set('cart', String(cartID));
  return `${url.pathname}${url.search}${url.hash}`;
}

function storedCart(): number | undefined {
  try {
    const cartID = Number(sessionStorage.getItem(KEY));
    return Number.isInteger(cartID) && cartID > 0 ? cartID : undefined;
  } catch {
    return undefined;
  }
}

function clearStored(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // If session storage is unavailable, no cart has been stored.
  }
  const url = new URL(location.href);
  url.searchParams.delete('cart');
  history.replaceState(history.state, '', url.href);
}

import { cartLabel } from '../../../carts/labels/stop-labels.js';
import { all, find, showText } from '../dom.js';
import { TEXTS } from '../texts.js';
import type { StateStore } from './state-store.js';

const KEY = 'selected-cart';

/** What a page knows of the selected cart when it opens. */
interface Opening {
  /** The cart that the page was made for. */
  served: number;
  /** The address, a link or a form has named that cart. */
  isChosen: boolean;
  /** The cart that was last selected in this tab. */
  stored: number | undefined;
}

/** The cart to begin with. A named cart wins over the one of the tab. */
function selectedAtFirst({ served, isChosen, stored }: Opening): number {
  return isChosen ? served : (stored ?? served);
}

/** The cart to begin with on this page. */
export function firstSelected(): number {
  const { cartId, cartChosen } = document.body.dataset;
  const hasOthers = all('#selected-cart option').length > 1;
  // A cart that is not known is forgotten.
  if (find('[data-live="unknown-cart"]:not([hidden])')) forget();
  const stored = hasOthers ? recall() : undefined;
  return selectedAtFirst({ served: Number(cartId), isChosen: cartChosen !== undefined, stored });
}

/** Keeps address, tab, links, switches and Stop on the selected cart, and lets every switch select another one. */
export function followSelected(picture: StateStore): void {
  const switches = all<HTMLSelectElement>('[data-cart-select]');
  if (switches.length === 0) return;
  const { cartId, cartChosen } = document.body.dataset;
  let isChosen = cartChosen !== undefined || picture.selectedID !== Number(cartId);
  for (const element of switches) {
    element.addEventListener('change', () => {
      isChosen = true;
      picture.select(Number(element.value));
    });
  }
  picture.onSelect((cartID) => {
    for (const element of switches) element.value = String(cartID);
    if (isChosen) keep(cartID);
    aimStop(cartID, find<HTMLSelectElement>('#selected-cart')?.selectedOptions[0]?.text);
  });
  // A page that comes back from the history shows its own cart again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isChosen) keep(picture.selectedID);
  });
  let isChecked = false;
  picture.onDraw(({ carts, selected, selectedID }) => {
    if (carts.size === 0) return;
    if (selected) {
      for (const element of switches) addOption(element, selectedID, cartLabel(selected));
      aimStop(selectedID, cartLabel(selected));
    } else if (!isChecked) {
      forget();
      const served = carts.get(Number(cartId)) ?? [...carts.values()][0];
      if (!served) return;
      showText(find('[data-live="unknown-cart"]'), TEXTS.unknownCart(selectedID, cartLabel(served)));
      picture.select(served.cartID);
    }
    isChecked = true;
  });
}

/** Of a large fleet the page comes with the first carts only. */
function addOption(element: HTMLSelectElement, cartID: number, label: string): void {
  if ([...element.options].some(({ value }) => value === String(cartID))) return;
  element.add(new Option(label, String(cartID)));
  element.value = String(cartID);
}

function aimStop(cartID: number, label = TEXTS.cart(cartID)): void {
  const form = find<HTMLFormElement>('[data-stop-selected]');
  if (form) form.action = `/carts/${cartID}/stop`;
  showText(find('[data-live="stop-name"]'), label);
}

function keep(cartID: number): void {
  try {
    sessionStorage.setItem(KEY, String(cartID));
  } catch {
    // Without storage the address alone has the cart.
  }
  history.replaceState(history.state, '', withCart(location.href, cartID));
  for (const link of all<HTMLAnchorElement>('.nav a')) link.href = withCart(link.href, cartID);
}

function withCart(address: string, cartID: number): string {
  const url = new URL(address);
  url.searchParams.set('cart', String(cartID));
  return `${url.pathname}${url.search}${url.hash}`;
}

function recall(): number | undefined {
  try {
    const cartID = Number(sessionStorage.getItem(KEY));
    return Number.isInteger(cartID) && cartID > 0 ? cartID : undefined;
  } catch {
    return undefined;
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // There is nothing to forget.
  }
  const url = new URL(location.href);
  url.searchParams.delete('cart');
  history.replaceState(history.state, '', url.href);
}

import type { Request } from 'express';
import type { CartMove, CartView } from '../../carts/command/model.js';
import { cartLabel } from '../../carts/labels/stop-labels.js';

const HERE = 'http://here.invalid';

/** The `?cart=` of the address, not checked; empty when there is none. */
export function askedCart({ query }: Request): string {
  return typeof query.cart === 'string' ? query.cart : '';
}

/** The cart with this number as text. */
export function cartNamed(carts: readonly CartView[], text: string): CartView | undefined {
  return carts.find(({ cartID }) => String(cartID) === text);
}

/** A path of this gateway with another selected cart. */
export function withCart(path: string, cartID: number): string {
  const url = new URL(path, HERE);
  url.searchParams.set('cart', String(cartID));
  return `${url.pathname}${url.search}`;
}

/** What a form needs that leads to the same page with another cart: its path, and the rest of its query. */
export function formOf(path: string): { action: string; params: { name: string; value: string }[] } {
  const { pathname, searchParams } = new URL(path, HERE);
  const params = [...searchParams].filter(([name]) => name !== 'cart');
  return { action: pathname, params: params.map(([name, value]) => ({ name, value })) };
}

/**
 * The `?cart=` of the page of this gateway that links or posts to this one, so that the selected cart also follows the
 * operator over links in the text and over redirects when scripts are off; empty when there is none.
 */
export function cartBefore({ headers }: Request): string {
  const { referer = '', host = '' } = headers;
  if (!URL.canParse(referer)) return '';
  const url = new URL(referer);
  return url.host === host ? (url.searchParams.get('cart') ?? '') : '';
}

/** The switch of the selected cart: a form that loads the same page for another cart. */
export interface CartChoice {
  action: string;
  params: { name: string; value: string }[];
  options: { cartID: number; label: string; selected: boolean }[];
}

/** @param here path and query of the page. */
export function cartChoice(carts: readonly CartView[], selectedID: number, here: string): CartChoice {
  const options = carts.map((cart) => ({
    cartID: cart.cartID,
    label: cartLabel(cart),
    selected: cart.cartID === selectedID,
  }));
  return { ...formOf(here), options };
}

/** The carts that this user or key moves beside the selected one. */
export function othersMoving(
  moves: readonly CartMove[],
  principal: string,
  selectedID: number | undefined,
): { cartID: number; label: string }[] {
  const others = moves.filter(({ cartID, by }) => by === principal && cartID !== selectedID);
  return others.map((cart) => ({ cartID: cart.cartID, label: cartLabel(cart) }));
}

import type { Request } from 'express';
import { type CartMove, type CartView, cartLabel } from '../../carts/index.js';
import { motionNow } from '../labels/fleet-labels.js';

const HERE = 'http://here.invalid';

/** Returns the unvalidated `?cart=` parameter, or an empty string. */
export function requestedCart({ query }: Request): string {
  return typeof query.cart === 'string' ? query.cart : '';
}

export function cartNamed(carts: readonly CartView[], text: string): CartView | undefined {
  return carts.find(({ cartID }) => String(cartID) === text);
}

export function withCart(path: string, cartID: number): string {
  const url = new URL(path, HERE);
  url.searchParams.set('cart', String(cartID));
  return `${url.pathname}${url.search}`;
}

/** Returns the action and hidden fields of a form that loads the same page for another cart. */
export function formOf(path: string): { action: string; params: { name: string; value: string }[] } {
  const { pathname, searchParams } = new URL(path, HERE);
  const params = [...searchParams].filter(([name]) => name !== 'cart');
  return { action: pathname, params: params.map(([name, value]) => ({ name, value })) };
}

/** Returns the referring page's `?cart=` parameter, which preserves the selection without JavaScript. */
export function referringCart({ headers }: Request): string {
  const { referer = '', host = '' } = headers;
  if (!URL.canParse(referer)) return '';
  const url = new URL(referer);
  return url.host === host ? (url.searchParams.get('cart') ?? '') : '';
}

export interface CartChoice {
  action: string;
  params: { name: string; value: string }[];
  options: { cartID: number; label: string; selected: boolean }[];
}

/** @param here path and query of the current page. */
export function cartChoice(carts: readonly CartView[], selectedID: number, here: string): CartChoice {
  const options = carts.map((cart) => ({
    cartID: cart.cartID,
    label: cartLabel(cart),
    selected: cart.cartID === selectedID,
  }));
  return { ...formOf(here), options };
}

export interface MovingLine {
  cartID: number;
  label: string;
  motion: string;
}

export function othersMoving(
  ownMoves: readonly CartMove[],
  selectedID: number | undefined,
  carts: readonly CartView[],
): MovingLine[] {
  const others = ownMoves.filter(({ cartID }) => cartID !== selectedID);
  return others.map((cart) => {
    const { cartID } = cart;
    const isOnline = carts.find((view) => view.cartID === cartID)?.online !== false;
    return { cartID, label: cartLabel(cart), motion: motionNow(isOnline) };
  });
}

import { shownCount } from '../i18n/format.js';
import type { StoppedCart } from './command/model.js';

/** Maximum number of carts that are named; further carts are only counted. */
const MAX_NAMED = 5;

/**
 * Names up to five carts (six if there are exactly six) and counts the others, for example `Cart 2, Loader (3) + 7`.
 */
export function cartLabels(carts: readonly Pick<StoppedCart, 'cartID' | 'name'>[]): string {
  const named = carts.slice(0, shownCount(carts.length, MAX_NAMED)).map(cartLabel);
  const more = carts.length - named.length;
  return more > 0 ? `${named.join(', ')} + ${more}` : named.join(', ');
}

/** Appends the number to the name unless the name already contains it: `Cart 2` or `Loader (2)`. */
export function cartLabel({ cartID, name }: { cartID: number; name: string }): string {
  const numbers: readonly string[] = name.match(/\d+/g) ?? [];
  return numbers.includes(String(cartID)) ? name : `${name} (${cartID})`;
}

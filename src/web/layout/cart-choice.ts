import type { CartMove, CartView } from '../../carts/command/model.js';
import { cartLabel } from '../../carts/labels/stop-labels.js';
import { formOf } from './selected-cart.js';

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

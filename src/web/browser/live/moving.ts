import { cartLabel } from '../../../carts/labels/stop-labels.js';
import { all, copyOf, fill, find } from '../dom.js';
import type { StateStore } from './state-store.js';

/** Shows each other cart that this operator moves, with its own Stop. */
export function drawMoving({ moves, selectedID }: StateStore): void {
  const box = find('[data-also-moving]');
  if (!box || !moves) return;
  const { principal } = document.body.dataset;
  const others = moves.filter(({ cartID, by }) => by === principal && cartID !== selectedID);
  for (const element of all('[data-moving-cart]', box)) {
    if (!others.some(({ cartID }) => String(cartID) === element.dataset.movingCart)) element.remove();
  }
  for (const cart of others) {
    if (find(`[data-moving-cart="${cart.cartID}"]`, box)) continue;
    const band = copyOf('moving-template');
    if (!band) return;
    band.dataset.movingCart = String(cart.cartID);
    fill(band, { label: cartLabel(cart) });
    find('form', band)?.setAttribute('action', `/carts/${cart.cartID}/stop`);
    box.append(band);
  }
}

import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/ports.js';
import type { StoppedCart } from '../command/model.js';
import type { Cart } from '../control/cart.js';
import { CONFIRM_MS } from './stop-round.js';

/** Whether the controller of the own cart acknowledges the last stop within a second. */
export function ownStopped(cart: Cart, clock: Clock): Promise<StoppedCart> {
  const cartID = cart.cartId;
  const { name } = cart.view();
  return new Promise((resolve) => {
    const fail = (error: unknown) => {
      const code = error instanceof GatewayError ? error.code : 'STOP_UNCONFIRMED';
      resolve({ cartID, name, confirmed: false, code, reason: messageOf(error) });
    };
    const text = `the motor controller did not acknowledge the stop within ${CONFIRM_MS} ms`;
    const cancel = clock.after(CONFIRM_MS, () => fail(new GatewayError('STOP_UNCONFIRMED', text)));
    cart
      .stopConfirmed()
      .then(() => resolve({ cartID, name, confirmed: true }), fail)
      .finally(cancel);
  });
}

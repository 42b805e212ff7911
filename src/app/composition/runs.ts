import { cartMessage, type ManualDrive, type Reason } from '../../carts/index.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { RunCart } from '../../site/index.js';
import type { OwnCart } from './create-cart.js';

const SUPERSEDED: Reason = { code: 'SUPERSEDED', text: cartMessage('superseded') };
const STOPPED: Reason = { code: 'STOPPED', text: cartMessage('stopped') };

/** @param ownIds the IDs of the commands that were sent for runs */
export function runCart(
  { cart, dispatcher }: Pick<OwnCart, 'cart' | 'dispatcher'>,
  drive: Pick<ManualDrive, 'driver' | 'onHandover'>,
  ownIds: ReadonlySet<string>,
): RunCart {
  return {
    cartID: cart.cartId,
    refusal: () => cart.refusal(),
    onInterruption: (listener) =>
      all(
        cart.onStop(() => listener(cart.refusal() ?? STOPPED)),
        dispatcher.onOwnCommand(({ id }) => {
          if (!ownIds.has(id)) listener(SUPERSEDED);
        }),
      ),
    onTakeover: (listener) =>
      drive.onHandover(() => {
        const { driver } = drive;
        if (driver) listener(driver);
      }),
  };
}

function all(...cancels: readonly Cancel[]): Cancel {
  return () => {
    for (const cancel of cancels) cancel();
  };
}

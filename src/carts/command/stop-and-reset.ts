import { randomUUID } from 'node:crypto';
import { errorText, GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Cart } from '../control/cart.js';
import type { RemoteCarts, StopKind } from '../control/contracts.js';
import { cartMessage } from '../messages.js';
import { safetyMessage } from '../safety/messages.js';
import { CONFIRM_MS } from '../safety/stop-round.js';
import type { Command } from './command.js';
import type { CartView, EmergencyStop, Origin, StopOrigin, StoppedCart } from './model.js';

interface Carts {
  cart: Cart;
  remote?: RemoteCarts;
  clock: Clock;
}

/**
 * Stops this gateway's cart first; `null` stops all carts. Resolves within about 1 s with the confirmations; for a
 * latching stop, also waits until the latch is on disk. Rejects with CART_UNKNOWN or WRITE_FAILED.
 */
export async function stopCarts(
  { cart, remote, clock }: Carts,
  cartId: number | null,
  kind: StopKind,
  received: StopOrigin,
): Promise<StoppedCart[]> {
  // All carts that this stop reaches report the same press ID.
  const origin = { ...received, pressId: received.pressId ?? randomUUID() };
  const isOwn = cartId === null || cartId === cart.cartId;
  if (!isOwn && !remote?.has(cartId)) throw unknownCart(cartId);
  if (isOwn) cart.stop(kind, origin.actor, origin.pressId);
  const own = isOwn ? [ownStopped(cart, clock)] : [];
  // A stop of this gateway's cart is also sent if another gateway has the same cart number.
  const isSent = cartId === null || !isOwn || remote?.hasNamesake;
  const others = isSent ? remote?.stop(cartId, kind, origin) : undefined;
  if (isOwn && kind === 'estop') await cart.interlocks.saved();
  return [...(await Promise.all(own)), ...((await others) ?? [])];
}

/** Waits at most 1 s for this gateway's controller to acknowledge the last stop. */
export function ownStopped(cart: Cart, clock: Clock): Promise<StoppedCart> {
  const { cartID, name } = cart.view();
  return new Promise((resolve) => {
    const fail = (error: unknown) => {
      const code = error instanceof GatewayError ? error.code : 'STOP_UNCONFIRMED';
      resolve({ cartID, name, confirmed: false, code, reason: errorText(error) });
    };
    const text = safetyMessage('stop-unacknowledged', { limit: CONFIRM_MS });
    const cancel = clock.after(CONFIRM_MS, () => fail(new GatewayError('STOP_UNCONFIRMED', text)));
    cart.stopAck
      .confirmed()
      .then(() => resolve({ cartID, name, confirmed: true }), fail)
      .finally(cancel);
  });
}

/**
 * Ends a stop command: it finishes if the cart confirms the stop, and fails otherwise.
 * @param stopped must not reject.
 */
export function finishWhenConfirmed(command: Command, stopped: Promise<StoppedCart | undefined>): void {
  void stopped.then((cart) => {
    if (cart?.confirmed) command.finish({ distanceMm: 0, angleDeg: 0, estimated: false });
    else command.end('FAILED', { code: cart?.code ?? 'STOP_UNCONFIRMED', text: cart?.reason ?? '' });
  });
}

interface Reset {
  cartId: number;
  origin: Origin;
  /** The `stoppedAt` value that was shown to the operator. */
  seen: string | undefined;
  view: CartView;
}

/** Rejects with RESET_REFUSED if the cart was stopped again after `seen`. */
export async function resetCart(
  { cart, remote }: Carts,
  { cartId, origin, seen, view }: Reset,
): Promise<EmergencyStop> {
  const { stoppedAt } = view.safety;
  if (seen !== undefined && stoppedAt !== undefined && seen !== stoppedAt) {
    const hint = safetyMessage('pressed-again-hint');
    throw new GatewayError('RESET_REFUSED', safetyMessage('pressed-again'), { field: 'stoppedAt', hint });
  }
  if (cartId !== cart.cartId) {
    if (!remote?.has(cartId)) throw unknownCart(cartId);
    // Even if the cart is unreachable, a reset ends the retries of an unconfirmed stop.
    remote.giveUpStop(cartId);
    return remote.reset(cartId, origin);
  }
  await cart.estop.reset(origin.actor, false);
  // Ends the retries of a stop that another gateway with this cart number has not confirmed.
  remote?.giveUpStop(cartId);
  return cart.view().safety.emergencyStop;
}

export function unknownCart(cartId: number): GatewayError {
  const hint = cartMessage('unknown-cart-hint');
  return new GatewayError('CART_UNKNOWN', cartMessage('unknown-cart', { cartID: cartId }), {
    field: 'cartID',
    hint,
  });
}

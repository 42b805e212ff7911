import { errorText, GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { CartView, StoppedCart } from '../command/model.js';
import type { StopKind } from '../control/contracts.js';
import { safetyMessage } from './messages.js';
import { CONFIRM_MS } from './stop-round.js';

export class StopAck {
  #outcome: Promise<void> = Promise.resolve();
  #unconfirmed: StopKind | undefined;

  /** The last stop, if the controller did not acknowledge it. */
  get unconfirmed(): StopKind | undefined {
    return this.#unconfirmed;
  }

  confirmed(): Promise<void> {
    return this.#outcome;
  }

  /**
   * @param sent the driver's promise for the stop; undefined if no controller is connected.
   * @param whyDown the reason why no controller is connected.
   */
  follow(kind: StopKind, sent: Promise<void> | undefined, whyDown: Text): void {
    const outcome = sent ?? Promise.reject(new GatewayError('SERIAL_DOWN', whyDown));
    this.#outcome = outcome;
    outcome.then(
      () => outcome === this.#outcome && this.clear(),
      () => {
        if (outcome === this.#outcome) this.#unconfirmed = kind;
      },
    );
  }

  /** Called on acknowledgement, after a reset, and when a session starts while no E-stop is latched. */
  clear(): void {
    this.#unconfirmed = undefined;
  }
}

/** Waits at most 1 s for this gateway's controller to acknowledge the last stop. */
export function ownStopped(
  cart: { view(): Pick<CartView, 'cartID' | 'name'>; stopConfirmed(): Promise<void> },
  clock: Clock,
): Promise<StoppedCart> {
  const { cartID, name } = cart.view();
  return new Promise((resolve) => {
    const fail = (error: unknown) => {
      const code = error instanceof GatewayError ? error.code : 'STOP_UNCONFIRMED';
      resolve({ cartID, name, confirmed: false, code, reason: errorText(error) });
    };
    const text = safetyMessage('stop-unacknowledged', { limit: CONFIRM_MS });
    const cancel = clock.after(CONFIRM_MS, () => fail(new GatewayError('STOP_UNCONFIRMED', text)));
    cart
      .stopConfirmed()
      .then(() => resolve({ cartID, name, confirmed: true }), fail)
      .finally(cancel);
  });
}

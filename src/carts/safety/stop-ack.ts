import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { StopKind } from '../control/contracts.js';

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
   * @param whyDown why no controller is connected.
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

  /** Called on acknowledgement, after a reset, and when a session starts while no stop is latched. */
  clear(): void {
    this.#unconfirmed = undefined;
  }
}

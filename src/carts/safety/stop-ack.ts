import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { StopKind } from '../control/contracts.js';

export class StopAck {
  #outcome: Promise<void> = Promise.resolve();
  #unconfirmed: StopKind | undefined;
  #isAcknowledged = false;

  /** The last stop, if the controller did not acknowledge it. */
  get unconfirmed(): StopKind | undefined {
    return this.#unconfirmed;
  }

  /** True if the controller has acknowledged the latest stop of this session. */
  get isAcknowledged(): boolean {
    return this.#isAcknowledged;
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
    this.#isAcknowledged = false;
    outcome.then(
      () => {
        if (outcome !== this.#outcome) return;
        this.clear();
        this.#isAcknowledged = true;
      },
      () => {
        if (outcome === this.#outcome) this.#unconfirmed = kind;
      },
    );
  }

  /** Called when a session ends, because its acknowledgements do not apply to the next one. */
  forget(): void {
    this.#isAcknowledged = false;
  }

  /** Called on acknowledgement, after a reset, and when a session starts while no stop is latched. */
  clear(): void {
    this.#unconfirmed = undefined;
  }
}

import { GatewayError } from '../../../shared/errors.js';
import type { Text } from '../../../shared/messages/message.js';

interface ControllerLatchDeps {
  /** True if frames carry a session. */
  hasSessions: boolean;
  isStopping: () => boolean;
  isProbing: () => boolean;
  /** Sends a request that a controller outside the current session rejects. */
  probe: () => Promise<void>;
  lost: (text: Text) => void;
}

/**
 * The controller's emergency-stop latch. A status without the latch is accepted only from a controller that
 * is still in the current session: a controller that has restarted has lost its latch.
 */
export class ControllerLatch {
  readonly #deps: ControllerLatchDeps;
  #isLatched = false;
  /** True if the controller has answered in the current session since it latched. */
  #isSessionProven = false;

  constructor(deps: ControllerLatchDeps) {
    this.#deps = deps;
  }

  /** Returns false if a status must be ignored. */
  accepts(isLatched: boolean): boolean {
    if (this.#isLatched && !isLatched && !this.#isResetProven()) return false;
    if (isLatched) this.#isSessionProven = false;
    this.#isLatched = isLatched;
    return true;
  }

  #isResetProven(): boolean {
    const { hasSessions, isStopping, isProbing } = this.#deps;
    // The controller may have sent the status before it received the stop.
    if (isStopping()) return false;
    if (hasSessions || this.#isSessionProven) return true;
    if (!isProbing()) void this.#prove();
    return false;
  }

  async #prove(): Promise<void> {
    try {
      await this.#deps.probe();
      this.#isSessionProven = true;
    } catch (error) {
      // A NACK or a lost line has already ended the session.
      if (error instanceof GatewayError && error.code === 'SERIAL_ACK_TIMEOUT') this.#deps.lost(error.text);
    }
  }
}

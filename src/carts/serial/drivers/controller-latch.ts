import { GatewayError } from '../../../shared/errors.js';
import type { Text } from '../../../shared/messages/message.js';
import type { Requests } from './requests.js';

interface ControllerLatchDeps {
  hasSessions: boolean;
  requests: Pick<Requests, 'has'>;
  /** Sends LIMITS, which the controller accepts only in the current session. */
  probe: () => Promise<void>;
  lost: (text: Text) => void;
}

/**
 * A status that reports no latch is accepted only if it belongs to the current session, because a restart
 * clears the controller's latch.
 */
export class ControllerLatch {
  readonly #deps: ControllerLatchDeps;
  #isLatched = false;
  /** True if the controller has responded in the current session since the stop was latched. */
  #isSessionProven = false;

  constructor(deps: ControllerLatchDeps) {
    this.#deps = deps;
  }

  accepts(isLatched: boolean): boolean {
    if (this.#isLatched && !isLatched && !this.#isResetProven()) return false;
    if (isLatched) this.#isSessionProven = false;
    this.#isLatched = isLatched;
    return true;
  }

  #isResetProven(): boolean {
    const { hasSessions, requests } = this.#deps;
    // The controller may have sent the status before it received the stop.
    if (requests.has('estop')) return false;
    if (hasSessions || this.#isSessionProven) return true;
    if (!requests.has('limits')) void this.#prove();
    return false;
  }

  async #prove(): Promise<void> {
    try {
      await this.#deps.probe();
      this.#isSessionProven = true;
    } catch (error) {
      // If the error is a NACK or a lost line, the session has already ended.
      if (error instanceof GatewayError && error.code === 'SERIAL_ACK_TIMEOUT') this.#deps.lost(error.text);
    }
  }
}

import { GatewayError } from '../../../shared/errors.js';
import type { Text } from '../../../shared/messages/message.js';

interface ControllerLatchDeps {
  /** The dialect marks the frames of a session. */
  hasSessions: boolean;
  /** An emergency stop is on its way to the controller. */
  isStopping: () => boolean;
  /** `ask` is under way. */
  isAsking: () => boolean;
  /** Sends a request that a controller without our session refuses. */
  ask: () => Promise<void>;
  /** The controller did not answer `ask`. */
  lost: (text: Text) => void;
}

/**
 * The emergency-stop latch in the controller. A status without the latch is accepted only from a controller that still
 * runs our session: one that has restarted knows of no stop.
 */
export class ControllerLatch {
  readonly #deps: ControllerLatchDeps;
  #isLatched = false;
  /** The controller has answered within our session since it latched. */
  #isSessionProven = false;

  constructor(deps: ControllerLatchDeps) {
    this.#deps = deps;
  }

  /** Whether a status with or without the latch is believed. */
  accepts(isLatched: boolean): boolean {
    if (this.#isLatched && !isLatched && !this.#isResetProven()) return false;
    if (isLatched) this.#isSessionProven = false;
    this.#isLatched = isLatched;
    return true;
  }

  #isResetProven(): boolean {
    const { hasSessions, isStopping, isAsking } = this.#deps;
    // The status left the controller before the stop that is on its way there.
    if (isStopping()) return false;
    if (hasSessions || this.#isSessionProven) return true;
    if (!isAsking()) void this.#prove();
    return false;
  }

  async #prove(): Promise<void> {
    try {
      await this.#deps.ask();
      this.#isSessionProven = true;
    } catch (error) {
      // A refusal, like a lost line, has ended the session already.
      if (error instanceof GatewayError && error.code === 'SERIAL_ACK_TIMEOUT') this.#deps.lost(error.said);
    }
  }
}

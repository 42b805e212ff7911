import { GatewayError } from '../../shared/errors.js';
import { principalText } from '../../shared/messages/messages.js';
import type { Clock } from '../../shared/ports/clock.js';
import { cartMessage } from '../messages.js';
import type { Origin } from './model.js';

const LEASE_MS = 5000;

/** Control of a cart: taken by the first command, lost after 5 s without one. Stops need no control. */
export class ControlLease {
  #clock: Clock;
  #holder = '';
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get holder(): string | undefined {
    return this.#clock.now() < this.#untilMs ? this.#holder : undefined;
  }

  /** Throws CONTROL_HELD while another principal holds control. */
  check(principal: string): void {
    const { holder } = this;
    if (holder === undefined || holder === principal) return;
    const leftS = Math.ceil((this.#untilMs - this.#clock.now()) / 1000);
    const text = cartMessage('controlled-by', { holder: principalText(holder), seconds: leftS });
    throw new GatewayError('CONTROL_HELD', text, { retryAfterS: leftS });
  }

  /** Takes or renews control. */
  take(principal: string): void {
    this.#holder = principal;
    this.#untilMs = this.#clock.now() + LEASE_MS;
  }

  /** Ends control if `principal` holds it. */
  release(principal: string): void {
    if (this.#holder === principal) this.#untilMs = 0;
  }
}

/** The principal that holds control: a user or API key of this gateway, or another gateway as a whole. */
export function holderOf({ source, gatewayId, principal }: Origin): string {
  return source === 'mqtt' ? `gateway ${gatewayId}` : principal;
}

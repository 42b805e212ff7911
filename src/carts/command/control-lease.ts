import { GatewayError } from '../../shared/errors.js';
import { principalText } from '../../shared/messages/messages.js';
import type { Clock } from '../../shared/ports/clock.js';
import { cartMessage } from '../messages.js';
import type { Origin } from './model.js';

const LEASE_MS = 5000;

/** A command takes or renews control, which ends 5 s after the last command. Stops do not require control. */
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

  /** Throws CONTROL_HELD if a different principal holds control. */
  check(principal: string): void {
    const { holder } = this;
    if (holder === undefined || holder === principal) return;
    const leftS = Math.ceil((this.#untilMs - this.#clock.now()) / 1000);
    const text = cartMessage('controlled-by', { holder: principalText(holder), seconds: leftS });
    throw new GatewayError('CONTROL_HELD', text, { retryAfterS: leftS });
  }

  take(principal: string): void {
    this.#holder = principal;
    this.#untilMs = this.#clock.now() + LEASE_MS;
  }

  release(principal: string): void {
    if (this.#holder === principal) this.#untilMs = 0;
  }
}

/** A user or API key of this gateway, or another gateway on behalf of all its users. */
export function holderOf({ source, gatewayId, principal }: Origin): string {
  return source === 'mqtt' ? `gateway ${gatewayId}` : principal;
}

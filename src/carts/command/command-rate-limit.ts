import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import { cartMessage } from '../messages.js';

/** Token bucket: `perSec` commands per second for each cart, with bursts of up to `perSec`. */
export class CommandRateLimit {
  #clock: Clock;
  #perSec: () => number;
  #buckets = new Map<number, { tokens: number; atMs: number }>();

  constructor(clock: Clock, perSec: () => number) {
    this.#clock = clock;
    this.#perSec = perSec;
  }

  /** Throws RATE if the cart's rate limit has been reached. */
  take(cartId: number): void {
    const now = this.#clock.now();
    const perSec = this.#perSec();
    const { tokens, atMs } = this.#buckets.get(cartId) ?? { tokens: perSec, atMs: now };
    const full = Math.min(perSec, tokens + ((now - atMs) / 1000) * perSec);
    if (full < 1) {
      const text = cartMessage('rate', { cartID: cartId, limit: perSec });
      throw new GatewayError('RATE', text, { limit: perSec, unit: 'commands/s', retryAfterS: 1 });
    }
    this.#buckets.set(cartId, { tokens: full - 1, atMs: now });
  }
}

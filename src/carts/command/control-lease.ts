import { type Actor, actorText, gatewayActor, isSameActor } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import { cartMessage } from '../messages.js';
import type { Origin } from './model.js';

const LEASE_MS = 5000;

/**
 * Returns the actor that holds control of a cart: a user or API key of this gateway, or another gateway on behalf
 * of all its users.
 */
export function holderOf({ source, gatewayId, actor }: Origin): Actor {
  return source === 'mqtt' ? gatewayActor(gatewayId) : actor;
}

/** A command takes or renews control, which ends 5 s after the last command. Stops do not require control. */
export class ControlLease {
  #clock: Clock;
  #holder: Actor | undefined;
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get holder(): Actor | undefined {
    return this.#clock.now() < this.#untilMs ? this.#holder : undefined;
  }

  /** Throws CONTROL_HELD if a different actor holds control. */
  check(actor: Actor): void {
    const { holder } = this;
    if (holder === undefined || isSameActor(holder, actor)) return;
    const leftS = Math.ceil((this.#untilMs - this.#clock.now()) / 1000);
    const text = cartMessage('controlled-by', { holder: actorText(holder), seconds: leftS });
    throw new GatewayError('CONTROL_HELD', text, { retryAfterS: leftS });
  }

  take(actor: Actor): void {
    this.#holder = actor;
    this.#untilMs = this.#clock.now() + LEASE_MS;
  }

  release(actor: Actor): void {
    if (this.#holder && isSameActor(this.#holder, actor)) this.#untilMs = 0;
  }
}

import type { Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Reason, StoppedCart } from '../command/model.js';
import { safetyMessage } from './messages.js';

/** Time limit in ms for confirmations, which allows for one retry. The stop itself is sent immediately. */
export const CONFIRM_MS = 1000;

export interface StopState {
  name: string;
  /** Why this cart cannot confirm the stop; if set, the round no longer waits for the cart. */
  failure: Reason | undefined;
  /** The reason to report if no confirmation arrives in time and there is no failure. */
  late?: Text | undefined;
}

/** Collects one stop's confirmations until every cart has confirmed or failed, but for at most 1 s. */
export class StopRound {
  readonly result: Promise<StoppedCart[]>;
  #targets: readonly number[];
  #confirmed = new Set<number>();
  #stateOf: (cartId: number) => StopState;
  #resolve: (carts: StoppedCart[]) => void = () => undefined;
  #cancel: Cancel;
  #open = true;

  constructor(targets: readonly number[], clock: Clock, stateOf: (cartId: number) => StopState) {
    this.#targets = targets.toSorted((a, b) => a - b);
    this.#stateOf = stateOf;
    this.result = new Promise((resolve) => (this.#resolve = resolve));
    this.#cancel = clock.after(CONFIRM_MS, () => this.#end());
  }

  get isOpen(): boolean {
    return this.#open;
  }

  confirm(cartId: number): void {
    this.#confirmed.add(cartId);
    this.check();
  }

  check(): void {
    const isSettled = (cartId: number) => this.#confirmed.has(cartId) || this.#stateOf(cartId).failure;
    if (this.#open && this.#targets.every(isSettled)) this.#end();
  }

  #end(): void {
    this.#open = false;
    this.#cancel();
    this.#resolve(this.#targets.map((cartID) => this.#answer(cartID)));
  }

  #answer(cartID: number): StoppedCart {
    const { name, failure, late } = this.#stateOf(cartID);
    if (this.#confirmed.has(cartID)) return { cartID, name, confirmed: true };
    const text = late ?? safetyMessage('stop-unconfirmed', { limit: CONFIRM_MS });
    const { code, text: reason } = failure ?? { code: 'STOP_UNCONFIRMED', text };
    return { cartID, name, confirmed: false, code, reason };
  }
}

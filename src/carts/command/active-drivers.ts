import type { Command } from './command.js';
import type { CommandDispatcher } from './dispatcher.js';
import type { CartMove } from './model.js';
import { KEEP_COUNT } from './registry.js';

/** Which carts are moved through this gateway, and by which user or key. */
export class ActiveDrivers {
  #dispatcher: Pick<CommandDispatcher, 'cartView'>;
  /** Commands that have not ended, by id. */
  #open = new Map<string, Command>();
  /** The last command of a cart when contact was lost before its end: the cart may still carry it out. */
  #lost = new Map<number, Command>();

  constructor(dispatcher: Pick<CommandDispatcher, 'cartView' | 'newest' | 'onCommand'>) {
    this.#dispatcher = dispatcher;
    for (const command of dispatcher.newest(KEEP_COUNT).reverse()) this.#note(command);
    dispatcher.onCommand((command) => this.#note(command));
  }

  /** Each moving cart once for each user or key that moves it, by number. */
  list(): CartMove[] {
    const lost = [...this.#lost.values()].filter((command) => this.#isStillMoving(command));
    const moves = new Map<string, CartMove>();
    for (const { order, origin } of [...this.#open.values(), ...lost]) {
      const cartID = order.cartId;
      const name = this.#view(cartID)?.name;
      const by = origin.principal;
      if (name !== undefined) moves.set(`${cartID} ${by}`, { cartID, name, by });
    }
    return [...moves.values()].sort((a, b) => a.cartID - b.cartID);
  }

  /** The numbers of the carts that this user or key moves. */
  by(principal: string): number[] {
    return this.list()
      .filter(({ by }) => by === principal)
      .map(({ cartID }) => cartID);
  }

  #note(command: Command): void {
    const { id, order, origin, state, final } = command;
    // A command from another gateway is listed there.
    if (order.kind === 'stop' || origin.source === 'mqtt') return;
    if (!final) {
      this.#open.set(id, command);
      return;
    }
    this.#open.delete(id);
    if (state === 'FAILED') this.#lost.set(order.cartId, command);
    else this.#lost.delete(order.cartId);
  }

  #isStillMoving({ id, order }: Command): boolean {
    const view = this.#view(order.cartId);
    return view?.moving === true && (view.commandId === undefined || view.commandId === id);
  }

  /** Undefined for a cart that was removed from the settings. */
  #view(cartId: number) {
    try {
      return this.#dispatcher.cartView(cartId);
    } catch {
      return undefined;
    }
  }
}

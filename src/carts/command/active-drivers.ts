import { type Actor, actorName, isSameActor } from '../../shared/actor.js';
import type { Command } from './command.js';
import type { CommandDispatcher } from './dispatcher.js';
import type { CartMove } from './model.js';
import { KEEP_COUNT } from './registry.js';

export class ActiveDrivers {
  #dispatcher: Pick<CommandDispatcher, 'cartView'>;
  #open = new Map<string, Command>();
  /** Each cart's latest command if it has failed; a disconnected cart may still be executing it. */
  #lost = new Map<number, Command>();

  constructor(dispatcher: Pick<CommandDispatcher, 'cartView' | 'newest' | 'onCommand'>) {
    this.#dispatcher = dispatcher;
    for (const command of dispatcher.newest(KEEP_COUNT).reverse()) this.#note(command);
    dispatcher.onCommand((command) => this.#note(command));
  }

  /**
   * Returns one entry for each moving cart and each actor that moves the cart, sorted by cart number.
   * @param only the actor whose carts are listed. Default: all actors.
   */
  list(only?: Actor): CartMove[] {
    const moves: { actor: Actor; move: CartMove }[] = [];
    for (const { order, origin } of this.#moving()) {
      const { actor } = origin;
      const cartID = order.cartId;
      const name = this.#view(cartID)?.name;
      const isListed = moves.some((known) => known.move.cartID === cartID && isSameActor(known.actor, actor));
      if (name === undefined || isListed || (only && !isSameActor(only, actor))) continue;
      moves.push({ actor, move: { cartID, name, by: actorName(actor) } });
    }
    return moves.map(({ move }) => move).sort((a, b) => a.cartID - b.cartID);
  }

  #moving(): Command[] {
    const lost = [...this.#lost.values()].filter((command) => this.#isStillMoving(command));
    return [...this.#open.values(), ...lost];
  }

  #note(command: Command): void {
    const { id, order, origin, state, final } = command;
    // Commands received over MQTT are ignored here, because the gateways that sent them track them.
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

  /** Returns undefined if the cart has been removed from the settings. */
  #view(cartId: number) {
    try {
      return this.#dispatcher.cartView(cartId);
    } catch {
      return undefined;
    }
  }
}

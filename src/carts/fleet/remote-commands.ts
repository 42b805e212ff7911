import type { Clock } from '../../shared/ports/clock.js';
import type { Command } from '../command/command.js';
import type { Reason } from '../command/model.js';
import type { AckMessage, Basis } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';
import type { RemoteCart } from './remote-cart.js';
import { RemoteCommand } from './remote-command.js';

interface RemoteCommandsDeps {
  gatewayId: string;
  clock: Clock;
  moved: (command: Command) => void;
  cancel: (command: Command) => void;
}

export class RemoteCommands {
  #deps: RemoteCommandsDeps;
  #running = new Map<string, RemoteCommand>();

  constructor(deps: RemoteCommandsDeps) {
    this.#deps = deps;
  }

  follow(command: Command, basis: Basis, publish: () => Promise<void>): void {
    const { clock, cancel, moved } = this.#deps;
    const running = new RemoteCommand({ command, basis, clock, publish, cancel: () => cancel(command) });
    this.#running.set(command.id, running);
    command.onTransition(() => {
      if (command.final) this.#running.delete(command.id);
      moved(command);
    });
    running.start();
  }

  carts(): number[] {
    return [...this.#running.values()].map(({ command }) => command.order.cartId);
  }

  jogOf(cartId: number, principal: string): Command | undefined {
    return this.#of(cartId).find(
      ({ command: { order, origin } }) => order.kind === 'jog' && origin.principal === principal,
    )?.command;
  }

  onAck(cartId: number, ack: AckMessage): void {
    const running = this.#running.get(ack.commandId.toLowerCase());
    if (running?.command.order.cartId !== cartId) return;
    // The acknowledgement is for a different gateway that used the same command id.
    if (ack.inReplyTo && ack.inReplyTo.gatewayId !== this.#deps.gatewayId) return;
    running.follow(ack);
  }

  onState(cartId: number, state: StateMessage): void {
    for (const running of this.#of(cartId)) running.onState(state);
  }

  onAbsent({ cartId, absence }: RemoteCart): void {
    for (const running of this.#of(cartId)) running.lost(absence);
  }

  /**
   * Called when a stop is sent to one cart, or to all carts if `cartId` is `null`. Cancels unacknowledged
   * commands, except stops, so that they are not resent.
   */
  stopped(cartId: number | null, by: string): void {
    for (const running of this.#running.values()) {
      const { order } = running.command;
      if (order.kind !== 'stop' && (cartId === null || order.cartId === cartId)) running.stopped(by);
    }
  }

  /** Cancels the command, even if its cart has not received it. */
  revoked({ id }: Command, reason: Reason): void {
    this.#running.get(id)?.revoked(reason);
  }

  close(): void {
    for (const running of this.#running.values()) running.close();
    this.#running.clear();
  }

  #of(cartId: number): RemoteCommand[] {
    return [...this.#running.values()].filter(({ command }) => command.order.cartId === cartId);
  }
}

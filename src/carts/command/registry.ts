import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import { cartMessage } from '../messages.js';
import type { Command } from './command.js';
import type { Order } from './model.js';
import { sameOrder } from './parser.js';

const KEEP_MS = 10 * 60_000;
export const KEEP_COUNT = 1000;
/** Maximum number of commands listed on the Drive page. */
export const LISTED_COUNT = 20;

/** Stores the commands of the last ten minutes (at most 1000) and the latest 20 commands of any age. */
export class CommandRegistry {
  #clock: Clock;
  #commands = new Map<string, Command>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(commandId: string): Command | undefined {
    return this.#commands.get(commandId.toLowerCase());
  }

  /** Throws ID_REUSED if the earlier command with this ID differs from the order. */
  repeated(order: Order): Command | undefined {
    const known = this.find(order.commandId);
    if (!known || sameOrder(known.order, order)) return known;
    throw new GatewayError('ID_REUSED', cartMessage('id-reused'), { field: 'commandId' });
  }

  /** Replaces an earlier command with the same ID. */
  add(command: Command): void {
    this.#commands.delete(command.id);
    this.#commands.set(command.id, command);
    const oldestMs = this.#clock.now() - KEEP_MS;
    // A Map preserves insertion order, so the oldest command comes first.
    for (const [id, old] of this.#commands) {
      const { size } = this.#commands;
      if (size <= LISTED_COUNT || (size <= KEEP_COUNT && old.acceptedAtMs >= oldestMs)) break;
      if (!old.final) continue;
      this.#commands.delete(id);
    }
  }

  newest(count: number): Command[] {
    return [...this.#commands.values()].slice(-count).reverse();
  }
}

import { GatewayError } from '../../shared/errors.js';
import { cartMessage } from '../messages.js';
import type { Command } from './command.js';
import type { Authority, Reason } from './model.js';

export const REVOKED: Reason = {
  code: 'REVOKED',
  text: cartMessage('authority-ended'),
};

/**
 * Returns true if there is no authority, or if the authority has not ended. Returns false if the check
 * throws.
 */
export function isGood(authority: Authority | undefined): boolean {
  try {
    return authority?.isGood() ?? true;
  } catch {
    return false;
  }
}

/** Throws REVOKED if the authority has ended, for example while the request body was read (up to 30 s). */
export function checkAuthority(authority: Authority | undefined): void {
  if (!isGood(authority)) throw new GatewayError(REVOKED.code, REVOKED.text);
}

/** Ends commands in progress as soon as their session ends or their API key is revoked. */
export class AuthorityWatch {
  readonly #commands = new Set<Command>();
  readonly #revoke: (command: Command) => void;

  /** @param revoke ends the command and stops the cart if the command is running. */
  constructor(revoke: (command: Command) => void) {
    this.#revoke = revoke;
  }

  /** Stops are not watched, because a stop remains in effect when its sender's session ends. */
  add(command: Command): void {
    const isWatched = command.authority && !command.final && command.order.kind !== 'stop';
    if (isWatched) this.#commands.add(command);
  }

  /** Called on every iteration of the control loop. An authority that several commands share is checked only once. */
  check(): void {
    const answers = new Map<string, boolean>();
    for (const command of [...this.#commands]) {
      const { authority } = command;
      if (command.final || !authority) this.#commands.delete(command);
      else {
        const good = answers.get(authority.id) ?? isGood(authority);
        answers.set(authority.id, good);
        if (!good) this.#revoke(command);
      }
    }
  }
}

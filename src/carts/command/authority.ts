import { GatewayError } from '../../shared/errors.js';
import { cartMessage } from '../messages.js';
import type { Command } from './command.js';
import type { Authority, Reason } from './model.js';

/** Reason for ending a command after its session or API key has ended. */
export const REVOKED: Reason = {
  code: 'REVOKED',
  text: cartMessage('authority-ended'),
};

/** Also returns false if the check throws. */
export function isGood(authority: Authority | undefined): boolean {
  try {
    return authority?.isGood() ?? true;
  } catch {
    return false;
  }
}

/** Throws REVOKED if the authority ended while the request body was being read, which can take 30 s. */
export function checkAuthority(authority: Authority | undefined): void {
  if (!isGood(authority)) throw new GatewayError(REVOKED.code, REVOKED.text);
}

/** Ends commands in progress as soon as their session or API key ends. */
export class AuthorityWatch {
  readonly #commands = new Set<Command>();
  readonly #revoke: (command: Command) => void;

  /** @param revoke ends the command and, if it is running, stops the cart. */
  constructor(revoke: (command: Command) => void) {
    this.#revoke = revoke;
  }

  /** Stops are not watched: a stop remains in effect when its sender's session ends. */
  add(command: Command): void {
    const isWatched = command.authority && !command.final && command.order.kind !== 'stop';
    if (isWatched) this.#commands.add(command);
  }

  /**
   * Called on every iteration of the control loop. Checks an authority only once, even if several commands
   * share it.
   */
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

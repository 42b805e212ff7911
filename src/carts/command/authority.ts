import { GatewayError } from '../../shared/errors.js';
import { cartMessage } from '../messages.js';
import type { Command } from './command.js';
import type { Authority, Reason } from './model.js';

/** Reason given when a command ends because its session or key has ended. */
export const REVOKED: Reason = {
  code: 'REVOKED',
  text: cartMessage('authority-ended'),
};

/** True if commands with this authority may start and continue; also false if that cannot be determined. */
export function isGood(authority: Authority | undefined): boolean {
  try {
    return authority?.isGood() ?? true;
  } catch {
    return false;
  }
}

/** Throws REVOKED if the authority has ended since the access check: reading the body can take 30 s. */
export function checkAuthority(authority: Authority | undefined): void {
  if (!isGood(authority)) throw new GatewayError(REVOKED.code, REVOKED.text);
}

/** Ends commands in progress as soon as their session or key ends. */
export class AuthorityWatch {
  readonly #commands = new Set<Command>();
  readonly #revoke: (command: Command) => void;

  /** @param revoke stops the command if it runs, and ends it. */
  constructor(revoke: (command: Command) => void) {
    this.#revoke = revoke;
  }

  /** A stop is not watched: it stays in force when the session that sent it ends. */
  add(command: Command): void {
    const isWatched = command.authority && !command.final && command.order.kind !== 'stop';
    if (isWatched) this.#commands.add(command);
  }

  /**
   * Called on every turn of the control loop. Checks an authority once, even if it covers several commands.
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

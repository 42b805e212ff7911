import { GatewayError } from '../../shared/errors.js';
import { cartMessage } from '../messages.js';
import type { Command } from './command.js';
import type { Authority, Reason } from './model.js';

/** Why a command ends whose session or key has ended. */
export const REVOKED: Reason = {
  code: 'REVOKED',
  text: cartMessage('authority-ended'),
};

/** Whether commands may be given, and go on, with this authority. When that cannot be read, they may not. */
export function isGood(authority: Authority | undefined): boolean {
  try {
    return authority?.isGood() ?? true;
  } catch {
    return false;
  }
}

/** Throws REVOKED: the access guard ran before the body was read, which can take half a minute. */
export function checkAuthority(authority: Authority | undefined): void {
  if (!isGood(authority)) throw new GatewayError(REVOKED.code, REVOKED.text);
}

/** The commands under way, to be ended as soon as the session or key that gave them ends. */
export class AuthorityWatch {
  readonly #commands = new Set<Command>();
  readonly #revoke: (command: Command) => void;

  /** @param revoke stops the command if it runs, and ends it. */
  constructor(revoke: (command: Command) => void) {
    this.#revoke = revoke;
  }

  /** A stop is not watched: it stays in force when the session that gave it ends. */
  add(command: Command): void {
    const isWatched = command.authority && !command.final && command.order.kind !== 'stop';
    if (isWatched) this.#commands.add(command);
  }

  /** Called with every turn of the control loop. Each authority is asked once, however many commands it has given. */
  look(): void {
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

import type { CommandView } from '../../../carts/pure.js';
import { commandRow, hasEnded } from '../../labels/command-rows.js';
import { freshness } from '../../labels/labels.js';
import type { StateStore } from '../live/state-store.js';
import type { CommandAnswer } from './send-command.js';

/** Returns false if the page has no recent data about a command that has not ended. */
export function isCurrent(state: StateStore, command: CommandView): boolean {
  if (hasEnded(command)) return true;
  const cart = state.carts.get(command.cartID);
  const ageMs = cart ? state.ageMs(command.cartID) : state.lostForMs();
  return ageMs !== null && ageMs <= (cart ? freshness(cart).greyMs : 0);
}

/** The progress of a command that an event has reported. */
export interface Progress extends Pick<CommandAnswer, 'lines'> {
  tone: ReturnType<typeof commandRow>['tone'];
  hasEnded: boolean;
  isStale: boolean;
}

export function progressOf(state: StateStore, commandId: string): Progress | undefined {
  const command = state.commands.find((listed) => listed.commandId === commandId);
  if (!command) return undefined;
  const isNow = isCurrent(state, command);
  const { tone, line } = commandRow(command, isNow);
  return { tone, lines: [line], hasEnded: hasEnded(command), isStale: !isNow };
}

import { isCurrent } from '../../../browser/commands/progress.js';
import { find, setHidden } from '../../../browser/dom.js';
import type { StateStore } from '../../../browser/live/state-store.js';
import { shownCommand } from '../../../labels/command-rows.js';
import { drawCommand } from '../command.js';

/** Shows the selected cart's running or latest command in one line, with the command's steps collapsed. */
export function drawLastCommand(state: StateStore): void {
  const { commands, selectedID } = state;
  const box = find<HTMLDetailsElement>('[data-last]');
  if (!box) return;
  const last = shownCommand(commands, selectedID);
  setHidden(box, !last);
  if (last) drawCommand(box, last.command, isCurrent(state, last.command), last.waiting);
}

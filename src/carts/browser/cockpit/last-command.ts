import { fill, find, setAttribute, setHidden, setTone } from '../../../web/browser/dom.js';
import type { StateStore } from '../../../web/browser/live/state-store.js';
import { commandRow } from '../../labels/command-rows.js';
import { drawSteps } from '../steps.js';

/** Shows the selected cart's latest command in one line, with the command's steps collapsed. */
export function drawLastCommand({ commands, selectedID }: StateStore): void {
  const box = find<HTMLDetailsElement>('[data-last]');
  if (!box) return;
  const last = commands.find(({ cartID }) => cartID === selectedID);
  setHidden(box, !last);
  if (!last) return;
  const row = commandRow(last);
  setAttribute(box, 'data-command-id', row.commandId);
  setTone(box, row.tone);
  fill(box, row);
  drawSteps(find('[data-steps]', box), row);
}

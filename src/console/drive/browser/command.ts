import type { CommandView } from '../../../carts/pure.js';
import { isToday } from '../../../i18n/format.js';
import { fill, find, setAttribute, setTone } from '../../browser/dom.js';
import { type CommandRow, commandRow } from '../../labels/command-rows.js';

interface Drawn {
  command: CommandView;
  isCurrent: boolean;
  waiting: number;
  /** False for a command from an earlier day; its texts then contain the date. */
  isToday: boolean;
}

const drawn = new WeakMap<HTMLElement, Drawn>();

/**
 * Skips an unchanged command, because commands are drawn up to 20 times per second.
 * @param waiting number of commands that wait behind this one.
 */
export function drawCommand(box: HTMLElement, command: CommandView, isNow: boolean, waiting = 0): void {
  const before = drawn.get(box);
  const now = { command, isCurrent: isNow, waiting, isToday: isToday(command.acceptedAt) };
  const isSame = before?.command === command && before.isCurrent === isNow && before.waiting === waiting;
  if (isSame && before.isToday === now.isToday) return;
  drawn.set(box, now);
  const row = commandRow(command, isNow, waiting);
  box.toggleAttribute('data-stale', !isNow);
  setAttribute(box, 'data-command-id', row.commandId);
  setTone(box, row.tone);
  fill(box, row);
  drawSteps(find('[data-steps]', box), row);
}

function drawSteps(list: HTMLElement | undefined, { steps }: CommandRow): void {
  if (!list) return;
  const shown = steps.map(({ label, took }) => label + took).join();
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(
    ...steps.map(({ label, took, tone: how }) => {
      const item = document.createElement('li');
      item.dataset.tone = how;
      const name = Object.assign(document.createElement('span'), { textContent: label });
      item.append(name, ' ', Object.assign(document.createElement('small'), { textContent: took }));
      return item;
    }),
  );
}

import { isToday } from '../../i18n/format.js';
import { fill, find, setAttribute, setTone } from '../../web/browser/dom.js';
import type { StateStore } from '../../web/browser/live/state-store.js';
import type { CommandView } from '../command/model.js';
import { type CommandRow, commandRow, hasEnded } from '../labels/command-rows.js';
import { freshness } from '../labels/labels.js';

interface Drawn {
  command: CommandView;
  isCurrent: boolean;
  /** The texts contain the date of a command that is not from today. */
  isToday: boolean;
}

const drawn = new WeakMap<HTMLElement, Drawn>();

/** False if the page has no recent data about a command that has not ended. */
export function isCurrent(state: StateStore, command: CommandView): boolean {
  if (hasEnded(command)) return true;
  const cart = state.carts.get(command.cartID);
  const ageMs = cart ? state.ageMs(command.cartID) : state.lostForMs();
  return ageMs !== null && ageMs <= (cart ? freshness(cart).greyMs : 0);
}

/** Skips an unchanged command, because commands are drawn up to 20 times per second. */
export function drawCommand(box: HTMLElement, command: CommandView, isNow: boolean): void {
  const before = drawn.get(box);
  const now = { command, isCurrent: isNow, isToday: isToday(command.acceptedAt) };
  if (before?.command === command && before.isCurrent === isNow && before.isToday === now.isToday) return;
  drawn.set(box, now);
  const row = commandRow(command, isNow);
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

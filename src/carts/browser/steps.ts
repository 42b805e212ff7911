import type { CommandRow } from '../labels/command-rows.js';

export function drawSteps(list: HTMLElement | undefined, { steps }: CommandRow): void {
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

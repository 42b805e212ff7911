import type { Severity } from '../../../i18n/format.js';
import { all, cloneTemplate, fill, find, setAttribute, setTone } from '../../browser/dom.js';
import { field } from '../../browser/post.js';

/** Shows the summary and the components from `GET /system`. */
export function drawComponents(summary: unknown, parts: unknown): void {
  const head = find('[data-summary]');
  if (head && typeof summary === 'object' && summary !== null) {
    fill(head, summary);
    setTone(head, toneOf(summary));
  }
  const list = find('[data-parts]');
  if (!list || !Array.isArray(parts)) return;
  const existing = new Map(all('[data-item]', list).map((item) => [item.dataset.item, item]));
  const items = (parts as object[]).flatMap((part) => {
    const key = String(field(part, 'key'));
    const item = existing.get(key) ?? cloneTemplate('part-template');
    if (!item) return [];
    item.dataset.item = key;
    drawComponent(item, part);
    return [item];
  });
  const isSame =
    items.length === list.children.length && items.every((item, at) => item === list.children[at]);
  // Moving an element would remove the focus from the link inside it.
  if (!isSame) list.replaceChildren(...items);
}

function drawComponent(item: HTMLElement, part: object): void {
  fill(item, part);
  setTone(item, toneOf(part));
  const href = String(field(part, 'href') ?? '');
  setAttribute(find('[data-part-link]', item), 'href', href);
}

function toneOf(row: object): Severity {
  return field(row, 'tone') as Severity;
}

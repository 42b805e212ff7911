import type { Severity } from '../../i18n/format.js';

export function find<E extends HTMLElement = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): E | undefined {
  return root.querySelector<E>(selector) ?? undefined;
}

export function all<E extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): E[] {
  return [...root.querySelectorAll<E>(selector)];
}

/** Writes the members of `row` to the `data-f` elements inside `root`. */
export function fill(root: ParentNode, row: object): void {
  for (const element of all('[data-f]', root)) {
    const text = String(member(row, element.dataset.f ?? '') ?? '');
    if (element.textContent !== text) element.textContent = text;
  }
}

function member(row: object, path: string): unknown {
  let value: unknown = row;
  for (const key of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  }
  return value;
}

export function showText(element: HTMLElement | undefined, text: string): void {
  if (!element) return;
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === '';
}

/** The severity determines the colour. */
export function setTone(element: HTMLElement | undefined, value: Severity): void {
  if (element && element.dataset.tone !== value) element.dataset.tone = value;
}

export function cloneTemplate(templateId: string): HTMLElement | undefined {
  const template = document.getElementById(templateId);
  if (!(template instanceof HTMLTemplateElement)) return undefined;
  const first = template.content.firstElementChild?.cloneNode(true);
  return first instanceof HTMLElement ? first : undefined;
}

export function svg(
  name: string,
  attributes: Record<string, string | number>,
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Shows the elements that require JavaScript. */
export function revealScripted(): void {
  for (const element of document.querySelectorAll('[data-js]')) element.removeAttribute('hidden');
}

export function isPopoverOpen(): boolean {
  return find('[popover]:popover-open') !== undefined;
}

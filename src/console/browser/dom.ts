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

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the text of a control's value; `true` or `false` for a checkbox or radio button. */
export function valueText(control: Control): string {
  return isCheckable(control) ? String(control.checked) : control.value;
}

/** Returns the control's initial value, as served with the page, in the format of `valueText`. */
export function servedValue(control: Control): string {
  if (isCheckable(control)) return String(control.defaultChecked);
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  const options = [...control.options];
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? '';
}

/**
 * Returns true if the value differs from the served one, for example because it was changed before the page's script
 * started.
 */
export function isChanged(control: Control): boolean {
  return valueText(control) !== servedValue(control);
}

function isCheckable(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');
}

/** Writes the members of `row` to the `data-f` elements inside `root`. */
export function fill(root: ParentNode, row: object): void {
  for (const element of all('[data-f]', root)) {
    setText(element, String(member(row, element.dataset.f ?? '') ?? ''));
  }
}

function member(row: object, path: string): unknown {
  let value: unknown = row;
  for (const key of path.split('.')) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  }
  return value;
}

/** Changes a text in place, because a new text node makes the browser rebuild the element's layout. */
export function setText(element: Element | undefined, text: string): void {
  if (!element || element.textContent === text) return;
  const { firstChild, lastChild } = element;
  if (firstChild instanceof Text && firstChild === lastChild && text !== '') firstChild.data = text;
  else element.textContent = text;
}

/** Writes only changes, because writing even an unchanged attribute makes the browser recompute styles. */
export function setAttribute(element: Element | null | undefined, name: string, value: string): void {
  if (element && element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Writes only changes; see `setAttribute`. */
export function setHidden(element: HTMLElement | undefined, isHidden: boolean): void {
  if (element && element.hidden !== isHidden) element.hidden = isHidden;
}

export function showText(element: HTMLElement | undefined, text: string): void {
  if (!element) return;
  setText(element, text);
  setHidden(element, text === '');
}

/** Sets the element's severity, which determines its colour. */
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

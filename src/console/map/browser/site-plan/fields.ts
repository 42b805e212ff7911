import { localNumber } from '../../../../i18n/language.js';
import type { Fault } from '../../../../shared/errors.js';
import { NUMBER, plainNumber } from '../../../../shared/validation/number-text.js';
import { all, find, setText } from '../../../browser/dom.js';
import { SITE_TEXTS } from './texts.js';

/** Returns undefined for text that is not a number. */
export function numberIn(input: HTMLInputElement | HTMLSelectElement): number | undefined {
  const plain = plainNumber(input.value);
  return NUMBER.test(plain) ? Number(plain) : undefined;
}

export function metresText(mm: number): string {
  return localNumber(mm / 1000);
}

/**
 * Writes a value, unless the user still has to correct the field's text.
 * @param typedIn the field that the user is typing in, which keeps its text
 */
export function put(
  input: HTMLInputElement | HTMLSelectElement | undefined,
  value: string,
  typedIn?: EventTarget,
): void {
  if (!input || input === typedIn || input.hasAttribute('aria-invalid') || input.value === value) return;
  input.value = value;
}

/** Shows an error at a field; an empty text removes it. */
export function mark(input: HTMLElement | undefined, error: string): void {
  if (!input) return;
  if (error === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
  const box = input.closest('[data-fault-box]') ?? undefined;
  setText(box && find('.error', box), error);
}

export function clearFaults(form: HTMLElement): void {
  for (const input of all('[aria-invalid]', form)) mark(input, '');
}

/** Marks the number fields that contain other text, and moves the focus to the first one. Returns true if there are none. */
export function areNumbers(form: HTMLElement): boolean {
  const wrong = all<HTMLInputElement>('.num', form).filter(
    (input) => numberIn(input) === undefined && !input.closest('[hidden]:not(form)'),
  );
  for (const input of wrong) mark(input, SITE_TEXTS.invalid);
  wrong[0]?.focus();
  return wrong.length === 0;
}

/**
 * Passes each change of a field to `take`, also while the user types. A field with other text than a number is marked
 * when the user leaves it.
 */
export function onFieldChange(
  form: HTMLElement,
  take: (field: HTMLInputElement | HTMLSelectElement, typing: string) => void,
  onLeave: () => void,
): void {
  const fieldOf = ({ target }: Event): HTMLInputElement | HTMLSelectElement | undefined =>
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target : undefined;
  form.addEventListener('input', (event) => {
    const field = fieldOf(event);
    if (!field) return;
    const isWrong =
      field instanceof HTMLInputElement && field.matches('.num') && numberIn(field) === undefined;
    if (isWrong) return;
    mark(field, '');
    take(field, field instanceof HTMLInputElement ? field.name || (field.ariaLabel ?? '') : '');
  });
  form.addEventListener('change', (event) => {
    const field = fieldOf(event);
    if (field?.matches('.num')) {
      const isWrong = numberIn(field) === undefined;
      mark(field, isWrong ? SITE_TEXTS.invalid : '');
    }
    onLeave();
  });
}

/** A fault of the item that is being edited; the path is relative to the item, such as `polygon/7`. */
export interface ItemFault {
  path: string;
  message: Fault['message'];
}

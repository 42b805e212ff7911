import { cloneTemplate, fill, find, revealScripted } from '../../web/browser/dom.js';
import { type SettingRow, setText, textOf } from './values.js';

/** Marks a row that has an unsaved value or a value other than the default. */
export function markRow({ element, control, before, standard }: SettingRow): void {
  const value = textOf(control);
  element.toggleAttribute('data-changed', value !== before);
  element.toggleAttribute('data-differs', value !== standard);
  if (value !== before || value !== standard) addMarks(element);
}

/** The server sends these marks only for rows with a value other than the default. */
function addMarks(row: HTMLElement): void {
  const marks = find('[data-marks]', row) ? undefined : cloneTemplate('marks-template');
  if (!marks) return;
  fill(marks, { defaultText: row.dataset.defaultText, label: find('label', row)?.textContent });
  find('[data-error]', row)?.before(marks);
  revealScripted();
}

/** Makes each "Reset to default" button reset its field. The change is reviewed and saved like any other. */
export function initDefaults(form: HTMLFormElement, rows: () => readonly SettingRow[]): void {
  form.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-to-default]') : null;
    const row = rows().find(({ element }) => button && element.contains(button));
    if (!row) return;
    setText(row.control, row.standard);
    row.control.dispatchEvent(new Event('input', { bubbles: true }));
    row.control.focus();
  });
}

import { find } from '../../web/browser/dom.js';
import { type SettingRow, setText, textOf } from './values.js';

/** Marks the row if its value is not the default. */
export function markDefault({ element, control }: SettingRow): void {
  element.toggleAttribute('data-differs', textOf(control) !== element.dataset.default);
}

/** Makes each "Reset to default" button reset its field. The change is reviewed and saved like any other. */
export function initDefaults(form: HTMLFormElement): void {
  form.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-to-default]') : null;
    const row = button?.closest<HTMLElement>('[data-row]');
    const control = row && find<SettingRow['control']>('input:not([type="hidden"]), select, textarea', row);
    if (!control) return;
    setText(control, row.dataset.default ?? '');
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.focus();
  });
}

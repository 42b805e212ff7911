import { find } from '../../browser/dom.js';

/** Asks for confirmation if the operator leaves the page without using the form or its Cancel link. */
export function warnBeforeLeaving(form: HTMLFormElement, isUnsaved: () => boolean): void {
  let isLeaving = false;
  form.addEventListener('submit', (event) => {
    isLeaving = !event.defaultPrevented;
  });
  find('a[data-cancel]', form)?.addEventListener('click', () => {
    isLeaving = true;
  });
  addEventListener('beforeunload', (event) => {
    if (isUnsaved() && !isLeaving) event.preventDefault();
  });
}

import { foundText, isFound, searchText, wordsOf } from '../../../settings/pure.js';
import { all, find, showText } from '../../browser/dom.js';

/** Filters the settings of all sections while the operator types. */
export function initSearch(form: HTMLFormElement): void {
  const search = find<HTMLFormElement>('[data-search]');
  const field = find<HTMLInputElement>('input', search);
  if (!search || !field) return;
  const rows = all('[data-row]', form).map((element) => ({
    element,
    text: textOfRow(element),
    isBasic: element.dataset.basic !== undefined,
  }));
  const filter = (): void => {
    const query = wordsOf(field.value);
    for (const { element, text } of rows) element.hidden = !isFound(query, text);
    const shown = rows.filter(({ element }) => !element.hidden);
    form.toggleAttribute('data-finding', query.length > 0);
    const nothing = find('[data-nothing-found]', form);
    if (nothing) nothing.hidden = shown.length > 0;
    showText(find('[data-found]', form), query.length > 0 ? foundText(shown) : '');
  };
  const clear = (): void => {
    if (field.value === '') return;
    field.value = '';
    filter();
  };
  field.addEventListener('input', filter);
  search.addEventListener('submit', (event) => event.preventDefault());
  find('[data-clear]', form)?.addEventListener('click', (event) => {
    event.preventDefault();
    clear();
    field.focus();
  });
  // A link to a section or field clears the search, because the target may not match the search.
  for (const link of all<HTMLAnchorElement>('[data-sections] a[href*="#"]')) link.href = link.hash;
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a[href^="#"]')) clear();
  });
  find('[data-section-select]')?.addEventListener('change', clear);
  filter();
}

function textOfRow(row: HTMLElement): string {
  const text = (selector: string, root: ParentNode | null): string =>
    root?.querySelector(selector)?.textContent ?? '';
  return searchText({
    section: text('h2', row.closest('[data-section]')),
    group: text('legend', row.closest('fieldset')),
    label: text('label', row),
    help: text('.help', row),
    pointer: row.querySelector<HTMLInputElement>('[name]')?.name ?? '',
    options: all<HTMLOptionElement>('option', row).map((option) => option.text),
  });
}

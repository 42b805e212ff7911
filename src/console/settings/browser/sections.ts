import { all, find, isChanged } from '../../browser/dom.js';
import { SETTINGS_TEXTS } from './texts.js';

const VIEW_KEY = 'settings-view';

/** Updates the section list and the form when the URL's section changes. Stores the selected view. */
export function initSections(form: HTMLFormElement): void {
  const select = find<HTMLSelectElement>('[data-section-select]');
  const follow = (): void => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const section = target?.closest<HTMLElement>('[data-section]');
    if (section && form.contains(section)) showSection(form, section);
  };
  addEventListener('hashchange', follow);
  follow();
  select?.addEventListener('change', () => {
    const { value } = select;
    // The operator may stay in the current section because of unsaved changes, so the list continues to show it.
    select.value = `#${find('[data-current]', form)?.id ?? ''}`;
    location.href = value;
  });
  initView();
}

function showSection(form: HTMLFormElement, section: HTMLElement): void {
  for (const other of all('[data-section]', form)) other.toggleAttribute('data-current', other === section);
  for (const link of all<HTMLAnchorElement>('[data-sections] a')) {
    if (link.hash === `#${section.id}`) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  const name = find<HTMLInputElement>('[data-section-name]', form);
  if (name) name.value = section.id;
  const select = find<HTMLSelectElement>('[data-section-select]');
  if (select) select.value = `#${section.id}`;
}

/** Shows the number of unsaved changes beside each section in the list. */
export function showChanges(form: HTMLFormElement): void {
  for (const section of all('[data-section]', form)) {
    const count = all('[data-changed]', section).length;
    const link = find(`[data-sections] a[href$="#${section.id}"]`);
    const badge = find('[data-changes]', link ?? section);
    const [shown, spoken] = badge?.children ?? [];
    if (!badge || !shown || !spoken) continue;
    badge.hidden = count === 0;
    shown.textContent = String(count);
    spoken.textContent = count === 0 ? '' : SETTINGS_TEXTS.changes(count);
    const option = find<HTMLOptionElement>(`[data-section-select] option[value="#${section.id}"]`);
    const title = find('h2', section)?.textContent ?? '';
    if (option) option.textContent = count === 0 ? title : `${title} (${count})`;
  }
}

function initView(): void {
  const choices = all<HTMLInputElement>('[data-view]');
  // The operator may have selected a view before this script started.
  const early = choices.find((choice) => choice.checked && isChanged(choice));
  if (early) storeView(early.value);
  const isInAddress = new URLSearchParams(location.search).has('view');
  const stored = early || isInAddress ? undefined : storedView();
  for (const choice of choices) {
    if (choice.value === stored) choice.checked = true;
    choice.addEventListener('change', () => storeView(choice.value));
  }
}

function storedView(): string | undefined {
  try {
    return localStorage.getItem(VIEW_KEY) ?? undefined;
  } catch {
    return undefined; // If the browser blocks storage, the page opens with the view that the server selected.
  }
}

function storeView(view: string): void {
  try {
    localStorage.setItem(VIEW_KEY, view);
  } catch {
    // If the browser blocks storage, the view is remembered only until the page is closed.
  }
}

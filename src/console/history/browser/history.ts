import { all, find, isChanged } from '../../browser/dom.js';
import { startLayout } from '../../browser/start.js';

/** Applies a filter as soon as it changes, and opens an entry's details without reloading the page. */
startLayout();
for (const button of all('[data-print]')) button.addEventListener('click', () => window.print());
const filters = all<HTMLFormElement>('[data-history-filter]');
for (const form of filters) {
  form.addEventListener('change', () => form.requestSubmit());
  form.addEventListener('submit', () => ignoreEmpty(form));
  // The user may have changed the filter before this script started. Search text is not submitted, because it may be
  // incomplete.
  if (all<HTMLInputElement | HTMLSelectElement>('select, [type="date"]', form).some(isChanged))
    form.requestSubmit();
}
for (const button of all('[data-history-submit]')) button.hidden = true;

const more = find<HTMLDetailsElement>('[data-history-more]');
if (more && matchMedia('(min-width: 701px)').matches) more.open = true;

const list = find('[data-history-list]');
const details = find('[data-history-details]');
list?.addEventListener('click', (event) => follow(event, '[data-history-open]'));
details?.addEventListener('click', (event) => follow(event, '[data-history-close]'));
window.addEventListener('popstate', () => void show(location.href));

let requested = 0;

function follow(event: MouseEvent, selector: string): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.matches(selector) || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  event.preventDefault();
  void show(link.href).then((isShown) => {
    if (!isShown) return location.assign(link.href);
    history.pushState(null, '', link.href);
    const heading = find('h2', details);
    if (heading) heading.focus();
    else find<HTMLAnchorElement>('[data-history-open]', list)?.focus();
  });
}

/** Replaces the details with those from `url`. Resolves with false if the page cannot be loaded. */
async function show(url: string): Promise<boolean> {
  requested += 1;
  const request = requested;
  const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (!response?.ok) return false;
  const loaded = new DOMParser().parseFromString(await response.text(), 'text/html');
  const found = find('[data-history-details]', loaded);
  if (!found) return false;
  if (request !== requested) return true;
  details?.replaceChildren(...found.childNodes);
  const open = new URL(url).searchParams.get('id');
  for (const row of all('[data-history-row]')) {
    const link = find<HTMLAnchorElement>('[data-history-open]', row);
    const isOpen = open !== null && new URL(link?.href ?? '').searchParams.get('id') === open;
    row.toggleAttribute('data-open', isOpen);
  }
  return true;
}

/** Keeps empty fields out of the URL. */
function ignoreEmpty(form: HTMLFormElement): void {
  for (const field of all<HTMLInputElement | HTMLSelectElement>('input, select', form)) {
    field.disabled = field.value === '';
  }
}

/**
 * When the user goes back, the browser can restore the page as it was left: with disabled fields, and with a filter
 * that does not match the list.
 */
window.addEventListener('pageshow', ({ persisted }) => {
  for (const field of all<HTMLInputElement>('[data-history-filter] :disabled')) field.disabled = false;
  if (persisted) for (const form of filters) form.reset();
});

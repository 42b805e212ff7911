import { all, find, isChanged, revealScripted, setAttribute } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import { BEACON_TEXTS } from './texts.js';

const FORM = ['form'];
const TABLE = ['empty', 'empty-beacons', 'table'];

/**
 * Submits forms and follows links without leaving the page: each response is a complete page, but only the requested
 * parts are shown. Forms and links also work when scripts are disabled.
 * @param onChange called after a change, with the ID of a saved beacon.
 */
export function initPartialRefresh({ onChange }: { onChange: (savedId?: string) => void }): void {
  initNotice();
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-page-link]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.dataset.edit !== undefined) void show(link.href, { parts: FORM, goTo: 'form' });
    // Going to another page of the table does not change the form.
    else void show(link.href, { parts: link.closest('[data-part="form"]') ? FORM : TABLE });
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    if (form.matches('[data-find]')) {
      event.preventDefault();
      void refreshTable().then(() => find('[data-part="table"]')?.scrollIntoView({ block: 'start' }));
    } else if (form.matches('[data-beacon-form]')) {
      event.preventDefault();
      const body = bodyOf(form);
      const savedId = body.get('editing') ?? body.get('id') ?? '';
      void show(form.action, { body, parts: ['notice', 'form'], goTo: 'notice' })
        .then(refreshTable)
        .then(() => onChange(savedId));
    }
  });
  document.addEventListener('input', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.id === 'find') findSoon();
  });
  // The text may have been entered before this script started.
  const search = find<HTMLInputElement>('#find');
  if (search && isChanged(search)) findSoon();
  initHoldButtons({
    buttons: '[data-delete-beacon] button',
    question: BEACON_TEXTS.confirmDelete,
    done: (button) => {
      const form = button.closest('form');
      if (!form) return;
      void show(form.action, { body: bodyOf(form), parts: ['notice'], goTo: 'notice' })
        .then(refreshTable)
        .then(() => onChange());
    },
    early: () => showStatus(BEACON_TEXTS.holdDelete),
  });
}

/** Removes the message about the previous change when the user does something else. Errors remain. */
function initNotice(): void {
  const clear = ({ target }: Event): void => {
    if (!(target instanceof Element) || target.closest('[data-delete-beacon], [data-part="notice"]')) return;
    const notice = find('[data-part="notice"]');
    if (!notice || find('[data-tone="stop"]', notice)) return;
    notice.replaceChildren();
  };
  document.addEventListener('submit', clear);
  document.addEventListener('input', clear);
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('main :is(a, button, .leaflet-container)')) {
      clear(event);
    }
  });
}

let typing: ReturnType<typeof setTimeout> | undefined;
let requests = 0;
/** The number of the latest request for each part. */
const latest = new Map<string, number>();

function findSoon(): void {
  clearTimeout(typing);
  typing = setTimeout(() => void refreshTable(), 200);
}

/** Shows the first page of the current search. */
export function refreshTable(): Promise<void> {
  const typed = find<HTMLInputElement>('#find')?.value ?? '';
  return show(`/map?${new URLSearchParams({ find: typed })}`, { parts: TABLE });
}

function showStatus(text: string, isBad = false): void {
  const box = find('[data-part="notice"]');
  if (!box) return;
  const line = Object.assign(document.createElement('p'), { textContent: text });
  const panel = Object.assign(document.createElement('section'), { className: 'panel outcome' });
  panel.setAttribute('role', 'status');
  if (isBad) panel.dataset.tone = 'stop';
  panel.append(line);
  box.replaceChildren(panel);
}

interface ShowOptions {
  body?: URLSearchParams;
  parts: readonly string[];
  goTo?: 'form' | 'notice';
}

async function show(address: string, { body, parts, goTo }: ShowOptions): Promise<void> {
  requests += 1;
  const number = requests;
  for (const name of parts) latest.set(name, number);
  const html = await load(address, body);
  // A later request for a part replaces this one, unless this one submitted a form.
  const current = body ? parts : parts.filter((name) => latest.get(name) === number);
  if (current.length === 0) return;
  if (html === undefined) return showStatus(BEACON_TEXTS.noAnswer, true);
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const name of current) replace(name, page);
  const rules = page.querySelector('[data-cart-rules]')?.getAttribute('data-cart-rules');
  if (rules) setAttribute(find('[data-cart-rules]'), 'data-cart-rules', rules);
  revealScripted();
  document.dispatchEvent(new CustomEvent('parts'));
  if (goTo === 'form') find('[data-beacon-form] input:not([type="hidden"]):not([readonly])')?.focus();
  if (goTo === 'notice') {
    find('[data-part="notice"]')?.scrollIntoView({ block: 'nearest' });
    find('[data-beacon-form] [aria-invalid]')?.focus();
  }
}

async function load(address: string, body: URLSearchParams | undefined): Promise<string | undefined> {
  const init = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(20_000) };
  try {
    const response = await fetch(address, body ? { ...init, method: 'POST', body } : init);
    const isPage = response.headers.get('content-type')?.includes('html');
    return isPage ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

/** Preserves the switch for coordinates and, if the search field has focus, its focus, value and selection. */
function replace(name: string, page: Document): void {
  const old = find(`[data-part="${name}"]`);
  const fresh = page.querySelector(`[data-part="${name}"]`);
  if (!old || !fresh) {
    // On an error page, the notice is in the `main` element.
    if (name === 'notice') old?.replaceChildren(...all('main .outcome', page));
    return;
  }
  const coordinates = find<HTMLInputElement>('[data-coordinates]', fresh);
  if (coordinates) coordinates.checked = find('[data-coordinates]:checked', old) !== undefined;
  const field = find<HTMLInputElement>('#find', old);
  if (field && document.activeElement === field) {
    const { selectionStart, selectionEnd, value } = field;
    old.replaceWith(fresh);
    const again = find<HTMLInputElement>('#find');
    if (again) again.value = value;
    again?.focus({ preventScroll: true });
    again?.setSelectionRange(selectionStart, selectionEnd);
  } else {
    old.replaceWith(fresh);
  }
}

function bodyOf(form: HTMLFormElement): URLSearchParams {
  const texts = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new URLSearchParams(texts);
}

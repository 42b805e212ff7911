import type { Severity } from '../../../i18n/format.js';
import { all, cloneTemplate, fill, find, setAttribute, setTone, showText } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import { poll } from '../../browser/live/age.js';
import { field } from '../../browser/post.js';
import { followRestart } from '../../browser/restarting.js';
import { initShowPassword } from '../../browser/show-password.js';
import { startLayout } from '../../browser/start.js';
import { LogTail } from './log.js';
import { SYSTEM_TEXTS } from './texts.js';
import { TrendView } from './trend.js';
import { initUploads } from './upload.js';

const POLL_MS = 2000;

startLayout();
initShowPassword();
followRestart();
const diagnostics = find<HTMLDetailsElement>('[data-diagnostics]');
/** The log and the charts are loaded only while they are visible. */
const isOpen = (): boolean => document.visibilityState === 'visible' && diagnostics?.open === true;
const list = find('[data-log-lines]');
const filter = find<HTMLFormElement>('[data-log-filter]');
const log = list && filter ? new LogTail(list, filter, isOpen) : undefined;
log?.start();
const section = find('[data-trend]');
const moment = find<HTMLInputElement>('[data-trend-moment]');
const trend = section && moment ? new TrendView(section, moment, isOpen) : undefined;
trend?.start();
diagnostics?.addEventListener('toggle', () => {
  if (!diagnostics.open) return;
  log?.update();
  trend?.update();
});
revealTarget();
addEventListener('hashchange', revealTarget);
const live = all('.health, .figures');
poll({
  address: '/system',
  everyMs: POLL_MS,
  show: drawSystem,
  drawStale: (isStale) => {
    showText(find('[data-unseen]'), isStale ? SYSTEM_TEXTS.unseen : '');
    for (const element of live) element.toggleAttribute('data-stale', isStale);
  },
});

initHoldButtons({
  buttons: '[data-restore] button',
  question: SYSTEM_TEXTS.confirmRestore,
  done: (button) => button.closest('form')?.submit(),
  early: () => showText(find('[data-restore-words]'), SYSTEM_TEXTS.holdRestore),
});
initHoldButtons({
  buttons: '[data-delete-gateway-backup] button',
  question: SYSTEM_TEXTS.confirmDelete,
  done: (button) => button.closest('form')?.submit(),
  early: (button) => {
    const item = button.closest<HTMLElement>('[data-gateway-backup]');
    if (item) showText(find('[data-delete-words]', item), SYSTEM_TEXTS.holdDelete);
  },
});
initUploads();
awaitConfirmation();
for (const form of all<HTMLFormElement>('[data-make], [data-make-gateway]')) {
  form.addEventListener('submit', () => showText(find('[data-make-words]', form), SYSTEM_TEXTS.copying));
}

/** Opens the section that contains the element named in the URL's fragment. */
function revealTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  const details = target?.closest('details');
  if (!target || !details || details.open) return;
  details.open = true;
  target.scrollIntoView();
}

function drawSystem(body: unknown): void {
  drawComponents(field(body, 'summary'), field(body, 'parts'));
  const figures = field(body, 'figures');
  for (const row of Array.isArray(figures) ? (figures as object[]) : []) {
    for (const item of all(`.figures [data-item="${String(field(row, 'key'))}"]`)) fill(item, row);
  }
}

/** Shows the summary and the components from `GET /system`. */
function drawComponents(summary: unknown, parts: unknown): void {
  const head = find('[data-summary]');
  if (head && typeof summary === 'object' && summary !== null) {
    fill(head, summary);
    setTone(head, toneOf(summary));
  }
  const list = find('[data-parts]');
  if (!list || !Array.isArray(parts)) return;
  const existing = new Map(all('[data-item]', list).map((item) => [item.dataset.item, item]));
  const items = (parts as object[]).flatMap((part) => {
    const key = String(field(part, 'key'));
    const item = existing.get(key) ?? cloneTemplate('part-template');
    if (!item) return [];
    item.dataset.item = key;
    drawComponent(item, part);
    return [item];
  });
  const isSame =
    items.length === list.children.length && items.every((item, at) => item === list.children[at]);
  // Replaces the elements only if necessary, because moving an element removes the focus from the link inside it.
  if (!isSame) list.replaceChildren(...items);
}

function drawComponent(item: HTMLElement, part: object): void {
  fill(item, part);
  setTone(item, toneOf(part));
  const href = String(field(part, 'href') ?? '');
  setAttribute(find('[data-part-link]', item), 'href', href);
}

function toneOf(row: object): Severity {
  return field(row, 'tone') as Severity;
}

/** Shows the button that confirms a restore when the restored gateway has been ready for long enough. */
function awaitConfirmation(): void {
  const element = find('[data-confirmable-in]');
  const form = find('[data-confirm]');
  if (!element || !form) return;
  const atMs = performance.now() + Number(element.dataset.confirmableIn) * 1000;
  const timer = setInterval(() => {
    const leftS = Math.ceil((atMs - performance.now()) / 1000);
    if (leftS > 0) return showText(element, SYSTEM_TEXTS.confirmableIn(leftS));
    clearInterval(timer);
    showText(element, '');
    form.hidden = false;
  }, 1000);
}

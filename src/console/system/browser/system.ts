import { all, fill, find, showText } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import { poll } from '../../browser/live/age.js';
import { field } from '../../browser/post.js';
import { startLayout } from '../../browser/start.js';
import { drawComponents } from './components.js';
import { LogTail } from './log.js';
import { SYSTEM_TEXTS } from './texts.js';
import { TrendView } from './trend.js';
import { initUpload } from './upload.js';

const POLL_MS = 2000;

startLayout();
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
initUpload();
find('[data-make]')?.addEventListener('submit', () => {
  showText(find('[data-make-words]'), SYSTEM_TEXTS.copying);
});

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

import { all, fill, find, showText } from '../../web/browser/dom.js';
import { initHoldButtons } from '../../web/browser/hold.js';
import { field, send } from '../../web/browser/post.js';
import { startLayout } from '../../web/browser/start.js';
import { LogTail } from './log.js';
import { SYSTEM_TEXTS } from './texts.js';
import { TrendView } from './trend.js';

const POLL_MS = 2000;

startLayout();
const list = find('[data-log-lines]');
const filter = find<HTMLFormElement>('[data-log-filter]');
if (list && filter) new LogTail(list, filter).start();
const trend = find('[data-trend]');
const moment = find<HTMLInputElement>('[data-trend-moment]');
if (trend && moment) new TrendView(trend, moment).start();
setInterval(() => {
  if (document.visibilityState === 'visible') void refresh();
}, POLL_MS);

initHoldButtons({
  buttons: '[data-restore] button',
  question: SYSTEM_TEXTS.confirmRestore,
  done: (button) => button.closest('form')?.submit(),
  early: () => showText(find('[data-restore-words]'), SYSTEM_TEXTS.holdRestore),
});
find('[data-make]')?.addEventListener('submit', () => {
  showText(find('[data-make-words]'), SYSTEM_TEXTS.copying);
});

async function refresh(): Promise<void> {
  const { ok, body } = await send('GET', '/system', { timeoutMs: 5000 });
  showText(find('[data-seen]'), ok ? SYSTEM_TEXTS.seen : SYSTEM_TEXTS.unseen);
  if (!ok) return;
  const rows = new Map<string, object>();
  for (const name of ['parts', 'figures']) {
    const found = field(body, name);
    for (const row of Array.isArray(found) ? found : []) rows.set(String(field(row, 'key')), row);
  }
  for (const item of all('[data-item]')) {
    const row = rows.get(item.dataset.item ?? '');
    if (!row) continue;
    const tone = field(row, 'tone');
    if (typeof tone === 'string') item.dataset.tone = tone;
    fill(item, row);
  }
}

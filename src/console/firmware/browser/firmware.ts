import type { FirmwareProgress } from '../../../carts/pure.js';
import { upperFirst } from '../../../i18n/format.js';
import { t } from '../../../i18n/shared-text.js';
import { all, find, setTone, showText } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import { poll } from '../../browser/live/age.js';
import { field, textField } from '../../browser/post.js';
import { startLayout } from '../../browser/start.js';
import { isUpdating, updateStatus } from '../../labels/firmware-labels.js';

const POLL_MS = 1000;

const state = startLayout();
let shown = '';
state.onDraw(({ firmware }) => {
  if (!firmware) return;
  const key = `${firmware.phase} ${firmware.percent}`;
  if (key === shown) return;
  shown = key;
  drawProgress(firmware);
});
const refresh = poll({
  address: '/controller/firmware',
  everyMs: POLL_MS,
  show: drawFirmware,
  drawStale: (isStale) => find('.firmware-page')?.toggleAttribute('data-stale', isStale),
});

initHoldButtons({
  buttons: '[data-update] button',
  question: t('Update the controller? The wheels must be off the ground.'),
  done: (button) => button.closest('form')?.requestSubmit(),
  early: () => showText(find('[data-hold-hint]'), t('Hold for 1 s to confirm.')),
});

function drawProgress(firmware: FirmwareProgress): void {
  const { tone, text } = updateStatus(firmware);
  setTone(find('[data-update-state]'), tone);
  const status = find('[data-update-status]');
  if (status) status.textContent = text;
  const bar = find<HTMLProgressElement>('[data-update-progress]');
  const updating = isUpdating(firmware);
  if (bar) {
    bar.value = firmware.percent;
    bar.hidden = !updating;
  }
  const form = find('[data-update]');
  if (form) form.hidden = updating;
  const section = find('[data-firmware]');
  // The page's other texts depend on the phase, so they are refreshed when it changes.
  if (section && section.dataset.phase !== firmware.phase) void refresh();
  if (section) section.dataset.phase = firmware.phase;
}

/** Shows the conditions, the installed version and the result. */
function drawFirmware(body: unknown): void {
  const installed = textField(body, 'installed');
  const version = find('[data-installed]');
  if (version && installed !== '') version.textContent = installed;
  const reason = textField(body, 'reason');
  showText(find('[data-update-reason]'), reason === '' ? '' : `${upperFirst(reason)}.`);
  showText(find('[data-update-hint]'), textField(body, 'hint'));
  const conditions = field(body, 'conditions');
  for (const condition of Array.isArray(conditions) ? (conditions as object[]) : []) {
    const isMet = field(condition, 'isMet') === true;
    for (const item of all(`[data-need="${textField(condition, 'need')}"]`)) {
      setTone(item, isMet ? 'quiet' : 'warn');
      for (const part of all('[data-unmet], [data-advice]', item)) part.hidden = isMet;
      for (const part of all('[data-met]', item)) part.hidden = !isMet;
    }
  }
}

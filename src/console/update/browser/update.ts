import { withTexts } from '../../../i18n/shared-text.js';
import { LIVE_UPDATE_TEXTS } from '../../../locales/nl/updates.js';
import { find, setText, setTone, showText } from '../../browser/dom.js';
import { initHoldButtons } from '../../browser/hold.js';
import { poll } from '../../browser/live/age.js';
import { textField } from '../../browser/post.js';
import { startLayout } from '../../browser/start.js';
import { uploadInParts } from '../../browser/upload.js';
import {
  elapsedText,
  isUpdateActive,
  progressStatus,
  type ShownProgress,
} from '../../labels/update-labels.js';

const t = withTexts(LIVE_UPDATE_TEXTS);
const POLL_MS = 1000;

startLayout();
const section = find('[data-progress]');
let isUploading = false;
/**
 * While this is true, loading the page would cancel the request whose response shows why an installation was rejected.
 */
let isSubmitting = false;
/** When the update began, on this page's clock; undefined unless an update is requested or running. */
let beganAt: number | undefined;

poll({
  address: '/updates/progress',
  everyMs: POLL_MS,
  show: (body) => {
    const progress = body as ShownProgress;
    // A new state changes the rest of the page, and a new version also changes its scripts, so the page is reloaded.
    const isOther =
      textField(body, 'state') !== section?.dataset.state ||
      textField(body, 'installed') !== section?.dataset.version;
    if (isOther && !isUploading && !isSubmitting) return loadAgain();
    drawProgress(progress, textField(body, 'reason'));
  },
  drawStale: (isStale) => {
    section?.toggleAttribute('data-stale', isStale);
    const isActive = beganAt !== undefined;
    const silent = isActive
      ? t('No response from the gateway. It restarts during the update.')
      : t('No response from the gateway');
    showText(find('[data-progress-silent]'), isStale ? silent : '');
    const state = find('[data-progress-state]');
    if (isStale && state) state.hidden = false;
    if (beganAt !== undefined)
      showText(find('[data-progress-time]'), elapsedText(performance.now() - beganAt));
  },
});

initHoldButtons({
  buttons: '[data-install] button',
  question: t('Install this version? The gateway restarts, and the cart cannot be driven during the update.'),
  done: (button) => {
    showText(find('[data-hold-hint]'), t('The update is being prepared'));
    button.closest('form')?.requestSubmit();
  },
  early: () => showText(find('[data-hold-hint]'), t('Hold for 1 s to confirm.')),
});

find('[data-install]')?.addEventListener('submit', () => {
  isSubmitting = true;
});

const form = find<HTMLFormElement>('[data-upload-release]');
if (form) form.hidden = false;
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const files = [...(find<HTMLInputElement>('input[type="file"]', form)?.files ?? [])];
  if (!isUploading) void upload(files);
});

function drawProgress(progress: ShownProgress, reason: string): void {
  const { tone, text } = progressStatus(progress);
  setTone(find('[data-progress-state]'), tone);
  setText(find('[data-progress-text]'), text);
  const { elapsedMs } = progress;
  beganAt = isUpdateActive(progress) && elapsedMs !== null ? performance.now() - elapsedMs : undefined;
  showText(find('[data-progress-time]'), elapsedMs === null ? '' : elapsedText(elapsedMs));
  if (reason === '') showText(find('[data-progress-reason]'), '');
}

/** Uploads the signature file first, because it is short, so that a wrong file is rejected immediately. */
async function upload(files: readonly File[]): Promise<void> {
  const words = find('[data-upload-words]');
  const signatures = files.filter(({ name }) => name.endsWith('.sig'));
  const archives = files.filter(({ name }) => name.endsWith('.tar.gz'));
  if (signatures.length !== 1 || archives.length !== 1 || files.length !== 2)
    return showText(words, t('Select the archive (.tar.gz) and its signature file (.tar.gz.sig).'));
  isUploading = true;
  for (const file of [...signatures, ...archives]) {
    const url = `/updates/${encodeURIComponent(file.name)}`;
    const reply = await uploadInParts({ file, url, show: (text) => showText(words, text) });
    if (!reply) {
      isUploading = false;
      return;
    }
  }
  loadAgain();
}

/** After a rejected installation, this page is the response to a POST, which `location.reload` would send again. */
function loadAgain(): void {
  location.replace('/updates');
}

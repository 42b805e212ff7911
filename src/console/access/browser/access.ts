import { t } from '../../../i18n/shared-text.js';
import { all, find, revealScripted, setText, showText } from '../../browser/dom.js';
import { followRestart } from '../../browser/restarting.js';
import { initShowPassword } from '../../browser/show-password.js';
import { uploadInParts, withoutCopyNumber } from '../../browser/upload.js';

const ACCESS_TEXTS = {
  copy: t('Copy'),
  copied: t('Copied'),
  copyFailed: t('Copying failed. Copy the selected text.'),
} as const;

const COPIED_SHOWN_MS = 3000;

revealScripted();
initShowPassword();
for (const button of all<HTMLButtonElement>('[data-copy]')) {
  button.addEventListener('click', () => void copy(button));
}

followRestart();
find('[data-setup-restore]')?.removeAttribute('hidden');
const restoreForm = find<HTMLFormElement>('[data-setup-restore] form');
restoreForm?.addEventListener('submit', (event) => {
  // The other button does not upload a file; it lists the backups on a USB stick.
  if (event.submitter?.hasAttribute('formaction')) return;
  event.preventDefault();
  void uploadBackup(restoreForm);
});

/**
 * Uploads a backup to a gateway without an administrator, then opens the page that shows the backup's
 * contents.
 */
async function uploadBackup(form: HTMLFormElement): Promise<void> {
  const file = find<HTMLInputElement>('input[type="file"]', form)?.files?.[0];
  const button = find<HTMLButtonElement>('button[type="submit"]', form);
  if (!file || !button || button.disabled) return;
  button.disabled = true;
  const backup = `/setup/gateway-backups/${encodeURIComponent(withoutCopyNumber(file))}`;
  const headers = { 'x-setup-code': find<HTMLInputElement>('[name="code"]', form)?.value ?? '' };
  const words = find('[data-upload-words]', form);
  const reply = await uploadInParts({ file, url: backup, headers, show: (text) => showText(words, text) });
  button.disabled = false;
  if (!reply) return;
  form.action = `${backup}/inspect`;
  form.submit();
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = find('[data-copy-text]', button.parentElement ?? document);
  if (!source) return;
  const isCopied = await copyText(source);
  setLabel(button, isCopied ? ACCESS_TEXTS.copied : ACCESS_TEXTS.copyFailed);
  setTimeout(() => setLabel(button, ACCESS_TEXTS.copy), COPIED_SHOWN_MS);
}

/** Selects the text first, so that the user can copy it manually if the browser denies clipboard access. */
async function copyText(source: HTMLElement): Promise<boolean> {
  getSelection()?.selectAllChildren(source);
  try {
    // On pages loaded over plain HTTP, `navigator.clipboard` is undefined, except on localhost.
    await navigator.clipboard.writeText(source.innerText.trim());
    return true;
  } catch {
    return document.execCommand('copy');
  }
}

function setLabel(button: HTMLButtonElement, text: string): void {
  setText(find('[data-label]', button), text);
}

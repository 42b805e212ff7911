import { t } from '../../../i18n/shared-text.js';
import { all, find, revealScripted } from '../../browser/dom.js';

const ACCESS_TEXTS = {
  show: t('Show'),
  hide: t('Hide'),
  copy: t('Copy'),
  copied: t('Copied'),
  copyFailed: t('Copying failed. Copy the selected text.'),
} as const;

const COPIED_SHOWN_MS = 3000;

revealScripted();
for (const button of all<HTMLButtonElement>('[data-show-password]')) {
  button.addEventListener('click', () => togglePassword(button));
}
for (const button of all<HTMLButtonElement>('[data-copy]')) {
  button.addEventListener('click', () => void copy(button));
}

function togglePassword(button: HTMLButtonElement): void {
  const input = find<HTMLInputElement>('input', button.parentElement ?? document);
  if (!input) return;
  const isShown = input.type === 'password';
  input.type = isShown ? 'text' : 'password';
  button.setAttribute('aria-pressed', String(isShown));
  const icon = find('.icon', button);
  icon?.classList.toggle('icon-show', !isShown);
  icon?.classList.toggle('icon-hide', isShown);
  setLabel(button, isShown ? ACCESS_TEXTS.hide : ACCESS_TEXTS.show);
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
  const label = find('[data-label]', button);
  if (label) label.textContent = text;
}

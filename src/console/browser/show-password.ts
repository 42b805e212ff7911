import { t } from '../../i18n/shared-text.js';
import { all, find, setText } from './dom.js';

const TEXTS = { show: t('Show'), hide: t('Hide') } as const;

/** Makes the buttons beside passwords and passphrases show and hide them. */
export function initShowPassword(): void {
  for (const button of all<HTMLButtonElement>('[data-show-password]'))
    button.addEventListener('click', () => toggle(button));
}

function toggle(button: HTMLButtonElement): void {
  const input = find<HTMLInputElement>('input', button.parentElement ?? document);
  if (!input) return;
  const isShown = input.type === 'password';
  input.type = isShown ? 'text' : 'password';
  button.setAttribute('aria-pressed', String(isShown));
  const icon = find('.icon', button);
  icon?.classList.toggle('icon-show', !isShown);
  icon?.classList.toggle('icon-hide', isShown);
  setText(find('[data-label]', button), isShown ? TEXTS.hide : TEXTS.show);
}

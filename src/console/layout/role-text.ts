import { t } from '../../i18n/page-text.js';

/** Returns the name of a role as the pages show it; empty for visitors without a role. */
export function roleText(role: string): string {
  const texts: Record<string, string> = {
    customer: t('Customer'),
    operator: t('Operator'),
    admin: t('Administrator'),
  };
  return texts[role] ?? role;
}

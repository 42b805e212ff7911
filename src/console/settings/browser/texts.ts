import { t } from '../../../i18n/shared-text.js';

export const SETTINGS_TEXTS = {
  saved: (count: number) =>
    count === 1 ? t('Saved. 1 setting has changed.') : t('Saved. {0} settings have changed.', count),
  notSaved: t('Not saved. Nothing has changed.'),
  saveUnsure: t('No response from the gateway. Reload the page to see the stored settings.'),
  changes: (count: number) =>
    count === 0 ? t('No changes') : count === 1 ? t('1 unsaved change') : t('{0} unsaved changes', count),
  testing: t('Connecting'),
  testOk: (ms: number) =>
    t('Connected in {0} ms. The entered values work but have not been saved.', Math.round(ms)),
  testBad: (reason: string) => t('Connection failed: {0}', reason),
} as const;

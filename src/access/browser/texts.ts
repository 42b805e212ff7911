import { t } from '../../i18n/shared-text.js';

export const ACCESS_TEXTS = {
  show: t`Show`,
  hide: t`Hide`,
  copy: t`Copy`,
  copied: t`Copied`,
  copyFailed: t`Copying failed. Copy the selected text.`,
} as const;

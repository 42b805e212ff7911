import { t } from '../../i18n/live.js';

/** What only the System page says. */
export const SYSTEM_TEXTS = {
  seen: t`As of now`,
  unseen: t`No answer from the gateway: these are old`,
  lines: (count: number) => (count === 0 ? t`No line fits` : count === 1 ? t`1 line` : t`${count} lines`),
  copying: t`Copying and reading the copy`,
  holdRestore: t`Hold for a second, until the ring is full.`,
  confirmRestore: t`Put this backup in the place of the database at the next start?`,
} as const;

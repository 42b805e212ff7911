import { t } from '../../../i18n/live.js';

/** What only the fleet page says. */
export const FLEET_TEXTS = {
  seen: t`As of now`,
  unseen: t`No answer from the gateway: these are old`,
} as const;

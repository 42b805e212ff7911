import { LIVE_CAMERA } from '../../i18n/nl/camera-beacons-pages.js';
import { addTexts, t } from '../../i18n/shared-text.js';

addTexts(LIVE_CAMERA);

export const PHOTO_TEXTS = {
  taking: t`Taking a photo`,
  taken: t`Photo taken.`,
  unsure: t`No response from the gateway. Reload the page to check whether the photo was taken.`,
  deleted: t`Photo deleted.`,
  takenOn: (when: string) => t`Photo taken on ${when}`,
  holdDelete: t`Press and hold Delete until the ring is full.`,
  confirmDelete: t`Delete this photo? This cannot be undone.`,
} as const;

import { withTexts } from '../../i18n/shared-text.js';
import { LIVE_SITE_TEXTS } from '../../locales/nl/site.js';
import type { Place, Zone } from '../../site/pure.js';

const t = withTexts(LIVE_SITE_TEXTS);

export const zoneKinds = (): Record<Zone['kind'], string> => ({
  BLOCKED: t('Blocked'),
  SPEED_LIMIT: t('Speed limit'),
  MANUAL_ONLY: t('Hand driving only'),
});

export const placePurposes = (): Record<Place['purpose'], string> => ({
  PARK: t('Parking place'),
  CHARGE: t('Charging place'),
  STOP: t('Stopping place'),
});

/** Paths of the symbols, in a circle of radius 14 around 0, 0. */
export const PLACE_GLYPHS: Readonly<Record<Place['purpose'], string>> = {
  PARK: 'M-4 7 V-7 H1 A4 4 0 0 1 1 1 H-4',
  CHARGE: 'M2 -8 L-4 1 H4 L-2 8',
  STOP: 'M-4 -7 V7 M4 -7 V7',
};

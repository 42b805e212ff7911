import { decimal } from '../../i18n/language.js';
import { withTexts } from '../../i18n/shared-text.js';
import { LIVE_BEACON_TEXTS } from '../../locales/nl/beacons.js';
import type { Offset } from '../../plan/pure.js';

const t = withTexts(LIVE_BEACON_TEXTS);

/** Returns a text such as `12.30 m east, 4.00 m north`. */
export function offsetText({ eastM, northM }: Offset): string {
  const [east, north] = [decimal(Math.abs(eastM), 2), decimal(Math.abs(northM), 2)];
  return [
    eastM < 0 ? t('{0} m west', east) : t('{0} m east', east),
    northM < 0 ? t('{0} m south', north) : t('{0} m north', north),
  ].join(', ');
}

import type { Offset } from '../../beacons/positioning/site-frame.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/shared-text.js';

/** For example `12.30 m east, 4.00 m north`. */
export function offsetText({ eastM, northM }: Offset): string {
  const [east, north] = [decimal(Math.abs(eastM), 2), decimal(Math.abs(northM), 2)];
  return [
    eastM < 0 ? t`${east} m west` : t`${east} m east`,
    northM < 0 ? t`${north} m south` : t`${north} m north`,
  ].join(', ');
}

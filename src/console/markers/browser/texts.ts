import { ageText, metres } from '../../../i18n/format.js';
import { decimal } from '../../../i18n/language.js';
import { withTexts } from '../../../i18n/shared-text.js';
import { LIVE_MARKER_TEXTS } from '../../../locales/nl/navigation.js';
import type { ApproachView } from '../../../navigation/pure.js';

const t = withTexts(LIVE_MARKER_TEXTS);

export const MARKER_TEXTS = {
  marker: (id: number, rangeMm: number) => t('Marker {0}: {1}', id, metres(rangeMm)),
  choose: t('Tap a marker to select it.'),
  none: t('The camera sees no registered marker.'),
  stale: t('No current image'),
  lastKnown: (ageMs: number) => t('Status from {0} ago', ageText(Math.floor(ageMs / 1000) * 1000)),
  hold: t('Press and hold the button until the ring is full.'),
  confirm: t('Drive to this marker?'),
  noAnswer: t('No response from the gateway. The cart may have received the command: check the cart.'),
  invalidDistance: t('Enter a distance from 0.2 to 3 m.'),
  run(run: ApproachView): string {
    const { phase, markerId, commands, residual, reason = '' } = run;
    switch (phase) {
      case 'FINISHED':
        return t('Marker {0} reached: {1}', markerId, errorText(residual));
      case 'FAILED':
        return t('Marker {0} not reached: {1}', markerId, String(reason));
      case 'LOOKING':
        return t('Looking for marker {0}; commands so far: {1}', markerId, commands);
      default:
        return t('Driving to marker {0}, command {1}', markerId, commands);
    }
  },
} as const;

function errorText(residual: ApproachView['residual']): string {
  const { alongMm = 0, lateralMm = 0, headingDeg = 0 } = residual ?? {};
  return t(
    'off by {0} mm and {1}°',
    Math.round(Math.hypot(alongMm, lateralMm)),
    decimal(Math.abs(headingDeg), 1),
  );
}

import { ageText, metres } from '../../../i18n/format.js';
import { decimal } from '../../../i18n/language.js';
import { addTexts, t } from '../../../i18n/shared-text.js';
import { LIVE_BEACON_TEXTS } from '../../../locales/nl/beacons.js';
import { LIVE_MARKER_TEXTS } from '../../../locales/nl/navigation.js';
import type { ApproachView } from '../../../navigation/approach/view.js';

addTexts(LIVE_MARKER_TEXTS);
addTexts(LIVE_BEACON_TEXTS);

export const MARKER_TEXTS = {
  marker: (id: number, rangeMm: number) => t`Marker ${id}: ${metres(rangeMm)}`,
  choose: t`Tap a marker to select it.`,
  none: t`The camera sees no registered marker.`,
  stale: t`No current image`,
  lastKnown: (ageMs: number) => t`Status from ${ageText(Math.floor(ageMs / 1000) * 1000)} ago`,
  hold: t`Press and hold the button until the ring is full.`,
  confirm: t`Drive to this marker?`,
  noAnswer: t`No response from the gateway. The cart may have received the command: check the cart.`,
  invalidDistance: t`Enter a distance from 0.2 to 3 m.`,
  run(run: ApproachView): string {
    const { phase, markerId, commands, residual, reason = '' } = run;
    switch (phase) {
      case 'FINISHED':
        return t`Marker ${markerId} reached: ${errorText(residual)}`;
      case 'FAILED':
        return t`Marker ${markerId} not reached: ${String(reason)}`;
      case 'LOOKING':
        return t`Looking for marker ${markerId}; commands so far: ${commands}`;
      default:
        return t`Driving to marker ${markerId}, command ${commands}`;
    }
  },
} as const;

function errorText(residual: ApproachView['residual']): string {
  const { alongMm = 0, lateralMm = 0, headingDeg = 0 } = residual ?? {};
  return t`off by ${Math.round(Math.hypot(alongMm, lateralMm))} mm and ${decimal(Math.abs(headingDeg), 1)}°`;
}

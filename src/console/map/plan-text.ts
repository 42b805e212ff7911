import { metres } from '../../i18n/format.js';
import { translated } from '../../i18n/messages.js';
import { withTexts } from '../../i18n/shared-text.js';
import { LIVE_BEACON_TEXTS } from '../../locales/nl/beacons.js';
import type { PlanView } from '../../plan/pure.js';
import type { Fault } from '../../shared/errors.js';

const t = withTexts(LIVE_BEACON_TEXTS);

/** Returns the floor plan's size in metres, or an instruction for the next step. */
export function planText(plan: PlanView | null): string {
  if (!plan) return t('No floor plan yet. Upload one to show walls and doors on the map.');
  const { width, height, placement } = plan;
  if (!placement)
    return t(
      'The floor plan is {0} x {1} px. To show it on the map, draw a line of known length.',
      width,
      height,
    );
  const { metresPerPixel, rotationDeg } = placement;
  const text = (pixels: number): string => metres(pixels * metresPerPixel * 1000);
  const [wide, high] = [text(width), text(height)];
  const turned = Math.round(rotationDeg);
  if (turned === 0) return t('The floor plan is {0} wide and {1} high. North is at the top.', wide, high);
  return t('The floor plan is {0} wide and {1} high, and is rotated by {2}°.', wide, high, turned).replace(
    '-',
    '−',
  );
}

/** Adds the name of the field, which a schema fault's message omits: `Length must be a number`. */
export function lineFaultText({ path, message }: Fault): string {
  const [, axis, point] = /^\/([xy])([12])$/.exec(path) ?? [];
  return axis && point
    ? t('Point {0}: {1}', point, `${axis} ${translated(message)}`)
    : `${t('Length')} ${translated(message)}`;
}

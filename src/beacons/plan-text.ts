import { metres } from '../i18n/format.js';
import { translated } from '../i18n/messages.js';
import { t } from '../i18n/shared-text.js';
import type { Fault } from '../shared/errors.js';
import type { PlanView } from './floor-plan/schema.js';

/** The floor plan's size in metres, or the next step. */
export function planText(plan: PlanView | null): string {
  if (!plan) return t`No floor plan yet. Upload one to show walls and doors on the map.`;
  const { width, height, placement } = plan;
  if (!placement)
    return t`The floor plan is ${width} x ${height} px. Draw a line of known length to show it on the map.`;
  const { metresPerPixel, rotationDeg } = placement;
  const text = (pixels: number): string => metres(pixels * metresPerPixel * 1000);
  const [wide, high] = [text(width), text(height)];
  const turned = Math.round(rotationDeg);
  if (turned === 0) return t`The floor plan is ${wide} wide and ${high} high. North is at the top.`;
  return t`The floor plan is ${wide} wide and ${high} high, and is rotated by ${turned}°.`.replace('-', '−');
}

/** For a fault in the schema, whose message does not name the field: `Length must be a number`. */
export function lineFaultText({ path, message }: Fault): string {
  const [, axis, point] = /^\/([xy])([12])$/.exec(path) ?? [];
  return axis && point
    ? t`Point ${point}: ${`${axis} ${translated(message)}`}`
    : `${t`Length`} ${translated(message)}`;
}

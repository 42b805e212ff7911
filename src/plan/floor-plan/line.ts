import { GatewayError } from '../../shared/errors.js';
import { haversineM, type LatLong, TangentPlane } from '../frame/geodesy.js';
import { planMessage } from '../messages.js';
import { MIN_PIXELS_APART, type Placement, type PlanImageSize } from './georeference.js';
import type { PlanLine, Points } from './schema.js';

/** Length of a line in metres. */
const LINE_LENGTH = { min: 1, max: 1000 };

/** An end of a line that is being drawn, in pixels from the image's top left corner. */
export interface End {
  x: number;
  y: number;
}

export type Ends = readonly [End | undefined, End | undefined];

/** Returns the ends of a line after a tap, which sets a missing end or moves the nearer of the two ends. */
export function endsAfterTap([first, second]: Ends, tap: End): Ends {
  if (!first) return [tap, second];
  if (!second) return [first, tap];
  const distance = ({ x, y }: End): number => Math.hypot(x - tap.x, y - tap.y);
  return distance(first) <= distance(second) ? [tap, second] : [first, tap];
}

/** The bottom left corner of the image and its clockwise rotation; 0 if north is at the top. */
export interface PlanAnchor {
  corner: LatLong;
  rotationDeg: number;
}

/** A plan that has no position yet is placed at the origin, with north at the top. */
export function anchorOf(placement: Placement | undefined, origin: LatLong): PlanAnchor {
  return placement
    ? { corner: placement.bottomLeft, rotationDeg: placement.rotationDeg }
    : { corner: origin, rotationDeg: 0 };
}

/**
 * Scales the image so that the line has the specified length; returns the coordinates of the line's ends.
 * Throws `INVALID_INPUT` with the field, the limit and the unit.
 */
export function pointsOfLine(
  line: PlanLine,
  size: PlanImageSize,
  { corner, rotationDeg }: PlanAnchor,
): Points {
  checkLine(line, size);
  const { x1, y1, x2, y2, lengthM } = line;
  const metresPerPixel = lengthM / Math.hypot(x2 - x1, y2 - y1);
  const angle = (-rotationDeg * Math.PI) / 180;
  const [cos, sin] = [metresPerPixel * Math.cos(angle), metresPerPixel * Math.sin(angle)];
  const plane = new TangentPlane([corner]);
  const point = (x: number, y: number): Points[0] => {
    const up = size.height - y;
    return { x, y, ...plane.toGlobe({ x: x * cos - up * sin, y: x * sin + up * cos }) };
  };
  return [point(x1, y1), point(x2, y2)];
}

/** Rounds the length to centimetres. */
export function lineOf([from, to]: Points): PlanLine {
  const lengthM = Math.round(haversineM(from, to) * 100) / 100;
  return { x1: from.x, y1: from.y, x2: to.x, y2: to.y, lengthM };
}

function checkLine({ x1, y1, x2, y2, lengthM }: PlanLine, { width, height }: PlanImageSize): void {
  for (const [axis, point, value, limit] of [
    ['x', 1, x1, width],
    ['y', 1, y1, height],
    ['x', 2, x2, width],
    ['y', 2, y2, height],
  ] as const) {
    if (value >= 0 && value <= limit) continue;
    const text = planMessage('line-end', { axis, point, limit });
    throw new GatewayError('INVALID_INPUT', text, { field: `${axis}${point}`, limit, unit: 'px' });
  }
  const pixels = Math.hypot(x2 - x1, y2 - y1);
  if (pixels < MIN_PIXELS_APART) {
    const text = planMessage('line-short', { pixels: Math.round(pixels), limit: MIN_PIXELS_APART });
    const hint = planMessage('line-short-hint');
    throw new GatewayError('INVALID_INPUT', text, {
      field: 'x2',
      limit: MIN_PIXELS_APART,
      unit: 'px',
      hint,
    });
  }
  const { min, max } = LINE_LENGTH;
  if (lengthM >= min && lengthM <= max) return;
  throw new GatewayError('INVALID_INPUT', planMessage('line-length', { min, max }), {
    field: 'lengthM',
    limit: lengthM < min ? min : max,
    unit: 'm',
  });
}

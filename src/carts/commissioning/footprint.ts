import { wholeNumber } from './fields.js';

export const FOOTPRINT_FIELDS = ['frontMm', 'rearMm', 'leftMm', 'rightMm'] as const;

type FootprintField = (typeof FOOTPRINT_FIELDS)[number];

/** A point in the cart's frame: x forward, y to the left, from the middle of the drive axle. */
interface Corner {
  xMm: number;
  yMm: number;
}

/**
 * Returns the corners of a rectangle whose sides are at these distances from the middle of the drive axle, and their
 * text for the record. Throws `INVALID_INPUT`.
 */
export function measuredFootprint(input: Readonly<Record<string, unknown>>): {
  corners: Corner[];
  note: string;
} {
  const [front = 0, rear = 0, left = 0, right = 0] = FOOTPRINT_FIELDS.map((field) =>
    wholeNumber(field, input[field], { min: 1, max: 5000, unit: 'mm' }),
  );
  return {
    corners: [
      { xMm: front, yMm: left },
      { xMm: -rear, yMm: left },
      { xMm: -rear, yMm: -right },
      { xMm: front, yMm: -right },
    ],
    note: `x: -${rear} to ${front} mm, y: -${right} to ${left} mm`,
  };
}

/** Returns the distances of the outermost corners; undefined if there are no corners. */
export function extentOf(corners: readonly Corner[]): Record<FootprintField, number> | undefined {
  if (corners.length === 0) return undefined;
  const [xs, ys] = [corners.map(({ xMm }) => xMm), corners.map(({ yMm }) => yMm)];
  return {
    frontMm: Math.max(...xs),
    rearMm: -Math.min(...xs),
    leftMm: Math.max(...ys),
    rightMm: -Math.min(...ys),
  };
}

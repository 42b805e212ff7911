/**
 * EXIF orientation (CIPA DC-008, 4.6.5): how stored pixels are rotated or mirrored for display. 1 leaves them
 * unchanged, 2 to 4 keep the width and the height, and 5 to 8 swap them.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Returns true if the displayed width is the stored height. */
export function isTransposed(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** Linear part of a CSS matrix and the preceding translation, in percent of the stored width and height. */
const TURNS: Readonly<Record<Orientation, { matrix: string; x: number; y: number }>> = {
  1: { matrix: '1, 0, 0, 1', x: 0, y: 0 },
  2: { matrix: '-1, 0, 0, 1', x: -100, y: 0 },
  3: { matrix: '-1, 0, 0, -1', x: -100, y: -100 },
  4: { matrix: '1, 0, 0, -1', x: 0, y: -100 },
  5: { matrix: '0, 1, 1, 0', x: 0, y: 0 },
  6: { matrix: '0, 1, -1, 0', x: 0, y: -100 },
  7: { matrix: '0, -1, -1, 0', x: -100, y: -100 },
  8: { matrix: '0, -1, 1, 0', x: -100, y: 0 },
};

/** Returns the CSS transform from stored to displayed pixels, for an image with the transform origin 0 0. */
export function turnOf(orientation: Orientation): string {
  const { matrix, x, y } = TURNS[orientation];
  return `matrix(${matrix}, 0, 0) translate(${x}%, ${y}%)`;
}

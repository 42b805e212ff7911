import { MARKER_CELLS } from '../../shared/markers/tag36h11.js';
import { BLACK_CELLS, blackCells, escaped, RULER_MM, rulerPath } from '../markers/sheet.js';
import { BOARD } from './model.js';

export interface BoardSheetTexts {
  title: string;
  instructions: readonly string[];
  ruler: string;
}

/** Size of a sheet of A4 paper. */
const PAPER_MM = { width: 210, height: 297 };
const TOP_MM = 20;
const MARGIN_MM = 14;
const LINE_MM = 6;
const CELL_MM = BOARD.sizeMm / BLACK_CELLS;
const BOARD_MM = {
  width: (BOARD.columns - 1) * BOARD.pitchMm + BOARD.sizeMm,
  height: (BOARD.rows - 1) * BOARD.pitchMm + BOARD.sizeMm,
};

/**
 * Returns an SVG image in millimetres on A4 paper: markers with consecutive IDs, row by row from the upper
 * left, and two rulers to check that the print has the same scale in x and y. A wrong scale that is the same
 * in both directions does not affect a calibration.
 */
export function boardSheet(firstId: number, { title, instructions, ruler }: BoardSheetTexts): string {
  const { width, height } = PAPER_MM;
  const left = (width - BOARD_MM.width) / 2;
  const rulerY = TOP_MM + BOARD_MM.height + 8;
  const textY = rulerY + 7;
  const text = (x: number, y: number, content: string, more = ''): string =>
    `<text x="${x}" y="${y}"${more}>${escaped(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="4">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 12, title, ' font-size="5"'),
    ...Array.from({ length: BOARD.columns * BOARD.rows }, (_, nth) => markerAt(firstId, nth, left)),
    `<path d="${rulerPath(left, rulerY)}" fill="none" stroke="#000" stroke-width="0.3"/>`,
    text(left + RULER_MM + 3, rulerY + 1, ruler),
    `<path d="${rulerPath(0, 0)}" transform="translate(${MARGIN_MM} ${TOP_MM}) rotate(90)" fill="none" stroke="#000" stroke-width="0.3"/>`,
    text(MARGIN_MM - 4, TOP_MM + RULER_MM + 6, ruler),
    ...instructions.map((line, nth) => text(left, textY + nth * LINE_MM, line)),
    '</svg>',
    '',
  ].join('\n');
}

function markerAt(firstId: number, nth: number, left: number): string {
  const border = ((MARKER_CELLS - BLACK_CELLS) / 2) * CELL_MM;
  const x = left + (nth % BOARD.columns) * BOARD.pitchMm - border;
  const y = TOP_MM + Math.floor(nth / BOARD.columns) * BOARD.pitchMm - border;
  const path = blackCells(firstId + nth);
  return `<path transform="translate(${x} ${y}) scale(${CELL_MM})" shape-rendering="crispEdges" d="${path}"/>`;
}

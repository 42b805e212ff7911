import { MARKER_CELLS, markerCells } from '../../shared/markers/tag36h11.js';
import type { Marker } from './model.js';

export interface SheetTexts {
  title: string;
  purpose: string;
  instructions: readonly string[];
  ruler: string;
}

/** A marker's size is the width of its black border, which is 8 cells. */
export const BLACK_CELLS = MARKER_CELLS - 2;
const MARGIN_MM = 15;
export const RULER_MM = 100;
const LINE_MM = 6;
const TEXT_WIDTH_MM = 170;
/** At a font size of 4 mm, a wide sans-serif font needs 2.4 mm per character on average. */
const LINE_CHARACTERS = 70;

/**
 * Returns an SVG image in millimetres: the marker at its true size with a white border of one cell, a ruler to check
 * the size of the print, and instructions.
 */
export function markerSheet({ id, sizeMm }: Marker, texts: SheetTexts): string {
  const cellMm = sizeMm / BLACK_CELLS;
  const tagMm = MARKER_CELLS * cellMm;
  const widthMm = Math.max(tagMm, TEXT_WIDTH_MM) + 2 * MARGIN_MM;
  const rulerY = MARGIN_MM + LINE_MM + tagMm + 2 * LINE_MM;
  const lines = [texts.purpose, ...texts.instructions].flatMap(wrapped);
  const textY = rulerY + 3 * LINE_MM;
  const heightMm = textY + lines.length * LINE_MM + MARGIN_MM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthMm}mm" height="${heightMm}mm" viewBox="0 0 ${widthMm} ${heightMm}" font-family="sans-serif" font-size="4">`,
    `<title>${escaped(texts.title)}</title>`,
    `<rect width="${widthMm}" height="${heightMm}" fill="#fff"/>`,
    `<text x="${MARGIN_MM}" y="${MARGIN_MM}" font-size="6">${escaped(texts.title)}</text>`,
    `<g transform="translate(${(widthMm - tagMm) / 2} ${MARGIN_MM + LINE_MM}) scale(${cellMm})" shape-rendering="crispEdges">`,
    `<path d="${blackCells(id)}"/>`,
    '</g>',
    `<path d="${rulerPath(MARGIN_MM, rulerY)}" fill="none" stroke="#000" stroke-width="0.3"/>`,
    `<text x="${MARGIN_MM + RULER_MM + 3}" y="${rulerY + 1}">${escaped(texts.ruler)}</text>`,
    ...lines.map((line, i) => `<text x="${MARGIN_MM}" y="${textY + i * LINE_MM}">${escaped(line)}</text>`),
    '</svg>',
    '',
  ].join('\n');
}

/** Breaks a text into lines that fit the width of the sheet. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length >= LINE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Returns an SVG path with one rectangle for each run of black cells in a row. */
export function blackCells(id: number): string {
  const cells = markerCells(id);
  const runs: string[] = [];
  for (let y = 0; y < MARKER_CELLS; y += 1) {
    for (let x = 0; x < MARKER_CELLS; x += 1) {
      const start = x;
      while (x < MARKER_CELLS && cells[y * MARKER_CELLS + x] === 0) x += 1;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h${start - x}z`);
    }
  }
  return runs.join('');
}

export function rulerPath(x: number, y: number): string {
  const marks = Array.from({ length: RULER_MM / 10 + 1 }, (_, i) => {
    const half = i % 5 === 0 ? 3 : 1.5;
    return `M${x + 10 * i} ${y - half}v${2 * half}`;
  });
  return `M${x} ${y}h${RULER_MM}${marks.join('')}`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

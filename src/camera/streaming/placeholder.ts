import { BlockPicture, type Colour } from './jpeg-blocks.js';
import { LETTER } from './jpeg-font.js';

const DARK: Colour = [28, 32, 38];
const LIGHT: Colour = [222, 226, 230];
const AMBER: Colour = [255, 176, 32];
const MARGIN = 2;
/** From line to line, in blocks. */
const LINE = LETTER.height + 1;
/** Blocks of 8 pixels are large enough for letters; more than thrice is a shout. */
const MOST_SCALE = 3;

/**
 * A JPEG that says why there is no picture: the first line stands out, long lines are broken, what does not fit is left
 * out. Small letters become capitals. Width and height in pixels, 64 or more.
 */
export function drawPlaceholder(lines: readonly string[], width: number, height: number): Buffer {
  const picture = new BlockPicture(width, height, [DARK, LIGHT, AMBER]);
  const [title = '', ...rest] = lines;
  const roomFor = (scale: number) =>
    Math.max(1, Math.floor((picture.columns - 2 * MARGIN + 1) / (LETTER.width * scale)));
  const fitting = Math.min(MOST_SCALE, Math.floor(roomFor(1) / Math.max(1, title.length)));
  const titleScale = Math.max(1, fitting);
  const set = [
    ...wrap(title, roomFor(titleScale)).map((text) => ({ text, scale: titleScale, colour: 2 })),
    ...rest.flatMap((line) => wrap(line, roomFor(1))).map((text) => ({ text, scale: 1, colour: 1 })),
  ];
  const total = set.reduce((sum, { scale }) => sum + LINE * scale, 0);
  let row = Math.max(1, Math.floor((picture.rows - total) / 2));
  for (const { text, scale, colour } of set) {
    const inked = text.length * LETTER.width * scale - scale;
    picture.write(Math.max(0, Math.floor((picture.columns - inked) / 2)), row, text, colour, scale);
    row += LINE * scale;
  }
  return picture.encode();
}

/** Lines of at most `most` letters, broken between words where that is possible. */
function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word;
    if (longer.length <= most) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = word;
    for (; line.length > most; line = line.slice(most)) lines.push(line.slice(0, most));
  }
  return [...lines, line];
}

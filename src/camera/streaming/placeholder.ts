import { textOf } from '../../shared/messages/message.js';
import { cameraStatus, hasFault } from '../capture/camera-status.js';
import type { CameraView } from '../capture/model.js';
import { BlockImage, type Colour } from './jpeg-blocks.js';
import { LETTER } from './jpeg-font.js';

const DARK: Colour = [28, 32, 38];
const LIGHT: Colour = [222, 226, 230];
const AMBER: Colour = [255, 176, 32];
const MARGIN = 2;
const LINE = LETTER.height + 1;
const MAX_SCALE = 3;

/** Highlights the first line, wraps long lines and cuts off the rest. Sizes are in px and at least 64. */
export function drawPlaceholder(lines: readonly string[], width: number, height: number): Buffer {
  const image = new BlockImage(width, height, [DARK, LIGHT, AMBER]);
  const [title = '', ...rest] = lines;
  const lineLength = (scale: number) =>
    Math.max(1, Math.floor((image.columns - 2 * MARGIN + 1) / (LETTER.width * scale)));
  const fitting = Math.min(MAX_SCALE, Math.floor(lineLength(1) / Math.max(1, title.length)));
  const titleScale = Math.max(1, fitting);
  const texts = [
    ...wrap(title, lineLength(titleScale)).map((text) => ({ text, scale: titleScale, colour: 2 })),
    ...rest.flatMap((line) => wrap(line, lineLength(1))).map((text) => ({ text, scale: 1, colour: 1 })),
  ];
  const total = texts.reduce((sum, { scale }) => sum + LINE * scale, 0);
  let row = Math.max(1, Math.floor((image.rows - total) / 2));
  for (const { text, scale, colour } of texts) {
    const textColumns = text.length * LETTER.width * scale - scale;
    image.write(Math.max(0, Math.floor((image.columns - textColumns) / 2)), row, text, colour, scale);
    row += LINE * scale;
  }
  return image.encode();
}

/** Splits text into lines of at most `max` characters, between words if possible. */
function wrap(text: string, max: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word;
    if (longer.length <= max) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = word;
    for (; line.length > max; line = line.slice(max)) lines.push(line.slice(0, max));
  }
  return [...lines, line];
}

/** Maximum width in pixels; sufficient for text. */
const MAX_WIDTH = 1280;

export class PlaceholderCache {
  #key = '';
  #jpeg: Buffer = Buffer.alloc(0);

  draw(view: CameraView): Buffer {
    const lines = linesOf(view);
    const scale = Math.min(1, MAX_WIDTH / view.width);
    const width = Math.round(view.width * scale);
    const height = Math.round(view.height * scale);
    const key = [width, height, ...lines].join('\n');
    if (key !== this.#key) {
      this.#jpeg = drawPlaceholder(lines, width, height);
      this.#key = key;
    }
    return this.#jpeg;
  }
}

/** Returns the lines of the placeholder, most important first. */
function linesOf(view: CameraView): string[] {
  const { reason } = cameraStatus(view);
  const hint = hasFault(view) ? (view.fault?.hint ?? '') : '';
  return ['NO LIVE IMAGE', reason, hint].map(textOf).filter(Boolean);
}

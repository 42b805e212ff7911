import { textOf } from '../../shared/messages/message.js';
import { cameraSaid, hasFault } from '../capture/labels.js';
import type { CameraView } from '../capture/model.js';
import { drawPlaceholder } from './placeholder.js';

/** Words need no more pixels than this. */
const WIDEST = 1280;

/** The pictures that are shown while the camera gives none: they say so, and why. The last one is kept. */
export class StandIns {
  #key = '';
  #jpeg: Buffer = Buffer.alloc(0);

  draw(view: CameraView): Buffer {
    const lines = linesOf(view);
    const scale = Math.min(1, WIDEST / view.width);
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

/** Most important line first. */
function linesOf(view: CameraView): string[] {
  const { reason } = cameraSaid(view);
  const hint = hasFault(view) ? (view.fault?.hint ?? '') : '';
  return ['NO LIVE PICTURE', reason, hint].map(textOf).filter(Boolean);
}

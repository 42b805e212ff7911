import { GatewayError } from '../../shared/errors.js';
import { boardFrom, boardImage, isStill, similarImage } from './board.js';
import { type BoardImage, MIN_MARKERS, usableImages } from './board-calibration.js';
import type { Capture } from './capture.js';
import { calibrationMessage } from './messages.js';

const LIMIT_MS = 10_000;

interface BoardCaptureDeps {
  capture: Capture;
  firstId: number;
  /** Width of the images in pixels. */
  width: number;
}

/** Takes an image of the board while it is held still. */
export class BoardCapture {
  readonly #deps: BoardCaptureDeps;

  constructor(deps: BoardCaptureDeps) {
    this.#deps = deps;
  }

  /**
   * Rejects with `MARKER_NOT_SEEN`, and with `IMAGE_SIMILAR` if the view is almost the same as in an earlier image.
   * @param check called before each image; throws if the image would be unusable.
   */
  async take(earlier: readonly BoardImage[], check: () => void): Promise<BoardImage> {
    const { capture, firstId, width } = this.#deps;
    const board = boardFrom(firstId);
    let last: BoardImage | undefined;
    let hasSeen = false;
    const image = await capture.until(LIMIT_MS, ({ sightings }) => {
      check();
      const before = last;
      const found = boardImage(sightings, firstId);
      last = usableImages([found], board) === 1 ? found : undefined;
      hasSeen ||= last !== undefined;
      return before && last && isStill(before, last, width) ? last : undefined;
    });
    if (!image) throw notSeen(hasSeen);
    const similar = similarImage(image, earlier, width);
    if (similar < 0) return image;
    const message = calibrationMessage('board-similar', { number: similar + 1 });
    throw new GatewayError('IMAGE_SIMILAR', message, { hint: calibrationMessage('board-similar-hint') });
  }
}

function notSeen(hasSeen: boolean): GatewayError {
  const seconds = LIMIT_MS / 1000;
  const message = hasSeen
    ? calibrationMessage('board-moving', { seconds })
    : calibrationMessage('board-not-seen', { needed: MIN_MARKERS, seconds });
  const hint = calibrationMessage(hasSeen ? 'board-moving-hint' : 'board-not-seen-hint');
  return new GatewayError('MARKER_NOT_SEEN', message, { hint });
}

import { cameraMessage } from '../messages.js';
import { JpegContent } from '../streaming/jpeg-content.js';
import type { CameraFault } from './model.js';

/**
 * If the images stay identical for this long, the camera is frozen, because a sensor's noise makes every image
 * different.
 */
const FROZEN_MS = { moving: 1000, atRest: 5000 };
/** Number of images that are remembered, to detect a source that repeats a loop; 34 s at 30 images per second. */
const MAX_KNOWN = 1024;
/**
 * If a check for black and white reads more bytes than this, its result also applies to the images of the next 200
 * ms.
 */
const CHEAP_BYTES = 4096;
const BLANK_INTERVAL_MS = 200;

interface Size {
  width: number;
  height: number;
}

interface Verdict {
  /** False if the image is the same as an earlier one. */
  isNew: boolean;
  /** Why the image must not be shown as live. */
  fault: CameraFault | undefined;
}

/** Decides whether images show the current scene in front of the camera. */
export class ImageCheck {
  readonly #isMoving: () => boolean;
  readonly #known = new Map<number, CameraFault | undefined>();
  #newAtMs: number | undefined;
  #hasMoved = false;
  #blank: { fault: CameraFault | undefined; nextMs: number } = { fault: undefined, nextMs: 0 };
  #repeated = 0;

  /** @param isMoving returns true while a cart of this gateway is moving. */
  constructor(isMoving: () => boolean) {
    this.#isMoving = isMoving;
  }

  /** Number of images that were the same as an earlier one. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Called when the camera starts. Keeps the known images, because a restarted camera must not repeat them. */
  restart(): void {
    this.#newAtMs = undefined;
    this.#hasMoved = false;
  }

  take(jpeg: Buffer, atMs: number, size: Size): Verdict {
    const content = new JpegContent(jpeg);
    const { key } = content;
    if (this.#known.has(key)) {
      this.#repeated += 1;
      return { isNew: false, fault: this.#known.get(key) ?? this.#frozen(atMs) };
    }
    this.#newAtMs = atMs;
    this.#hasMoved = false;
    const wrong = wrongSize(content, size);
    if (!wrong && atMs < this.#blank.nextMs) return { isNew: true, fault: this.#blank.fault };
    const fault = wrong ?? this.#blankFault(content, atMs);
    this.#known.set(key, fault);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
    return { isNew: true, fault };
  }

  #frozen(atMs: number): CameraFault | undefined {
    this.#newAtMs ??= atMs;
    this.#hasMoved ||= this.#isMoving();
    const limitMs = this.#hasMoved ? FROZEN_MS.moving : FROZEN_MS.atRest;
    return atMs - this.#newAtMs < limitMs ? undefined : FROZEN;
  }

  #blankFault(content: JpegContent, atMs: number): CameraFault | undefined {
    const { blank, bytesRead } = content.blank;
    const isCheap = bytesRead <= CHEAP_BYTES;
    this.#blank = { fault: blank && BLANK[blank], nextMs: isCheap ? atMs : atMs + BLANK_INTERVAL_MS };
    return this.#blank.fault;
  }
}

function faultOf(code: 'frozen' | 'black' | 'white'): CameraFault {
  return { code, text: cameraMessage(code), hint: cameraMessage(`${code}-hint`), lines: [] };
}

const FROZEN = faultOf('frozen');
const BLANK = { black: faultOf('black'), white: faultOf('white') };

function wrongSize(content: JpegContent, { width, height }: Size): CameraFault | undefined {
  const actual = content.size;
  if (!actual || (actual.width === width && actual.height === height)) return undefined;
  return {
    code: 'wrong-size',
    text: cameraMessage('wrong-size', {
      actual: `${actual.width}x${actual.height}`,
      expected: `${width}x${height}`,
    }),
    hint: cameraMessage('wrong-size-hint'),
    lines: [],
  };
}

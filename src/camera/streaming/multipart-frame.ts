import type { Image } from '../capture/model.js';

const BOUNDARY = 'frame';

export const STREAM_TYPE = `multipart/x-mixed-replace;boundary=${BOUNDARY}`;

/** `headers-first`: a part's headers directly follow the previous image and contain no content length. */
export type Layout = 'plain' | 'headers-first';

const NEXT = `\r\n--${BOUNDARY}\r\n`;
const BARE_HEAD = 'Content-Type: image/jpeg\r\n\r\n';

export const STREAM_HEAD: Readonly<Record<Layout, Buffer>> = {
  plain: Buffer.from(`--${BOUNDARY}\r\n`),
  'headers-first': Buffer.from(`--${BOUNDARY}\r\n${BARE_HEAD}`),
};

/** Placeholders have no number. */
export type StreamImage = Pick<Image, 'jpeg' | 'atMs'> & { number?: number };

/**
 * One buffer per `Layout`, shared by all viewers. The boundary directly follows the image, so that a browser
 * shows the image without waiting for the next one.
 */
export class MultipartImage {
  readonly image: StreamImage;
  #takenAt: string;
  #buffers: Partial<Record<Layout, Buffer>> = {};

  /** @param wallMs when the image was taken, as Unix time in ms. */
  constructor(image: StreamImage, wallMs: number) {
    this.image = image;
    this.#takenAt = (wallMs / 1000).toFixed(3);
  }

  bytes(layout: Layout): Buffer {
    this.#buffers[layout] ??= layout === 'plain' ? this.#plain() : this.#headersFirst();
    return this.#buffers[layout];
  }

  #plain(): Buffer {
    const { jpeg, number } = this.image;
    const lines = [
      'Content-Type: image/jpeg',
      `Content-Length: ${jpeg.length}`,
      `X-Timestamp: ${this.#takenAt}`,
    ];
    if (number !== undefined) lines.push(`X-Frame: ${number}`);
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), jpeg, Buffer.from(NEXT)]);
  }

  /**
   * Returns the image, immediately followed by the next part's headers, because Blink shows an image only when these
   * arrive.
   */
  #headersFirst(): Buffer {
    return Buffer.concat([this.image.jpeg, Buffer.from(NEXT + BARE_HEAD)]);
  }
}

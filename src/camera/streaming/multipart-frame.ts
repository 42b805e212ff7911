import type { Frame } from '../capture/model.js';

const BOUNDARY = 'frame';

/** The content type of a stream of parts. */
export const STREAM_TYPE = `multipart/x-mixed-replace;boundary=${BOUNDARY}`;

/** How a viewer wants its parts laid out. */
export type Layout = 'plain' | 'headers-first';

const NEXT = `\r\n--${BOUNDARY}\r\n`;
const BARE_HEAD = 'Content-Type: image/jpeg\r\n\r\n';

/** What comes before the first part. */
export const STREAM_HEAD: Readonly<Record<Layout, Buffer>> = {
  plain: Buffer.from(`--${BOUNDARY}\r\n`),
  'headers-first': Buffer.from(`--${BOUNDARY}\r\n${BARE_HEAD}`),
};

/** A picture in the stream; stand-ins have no number. */
export type Picture = Pick<Frame, 'jpeg' | 'atMs'> & { number?: number };

/**
 * One picture as a part of `multipart/x-mixed-replace`. Its bytes are made once for each layout that is asked for, and
 * every viewer is handed the same buffer. The boundary follows the picture at once, so that a browser can show it
 * without waiting for the next one.
 */
export class Part {
  readonly picture: Picture;
  #takenAt: string;
  #made: Partial<Record<Layout, Buffer>> = {};

  /** @param wallMs when the picture was taken, ms since 1970 UTC. */
  constructor(picture: Picture, wallMs: number) {
    this.picture = picture;
    this.#takenAt = (wallMs / 1000).toFixed(3);
  }

  bytes(layout: Layout): Buffer {
    this.#made[layout] ??= layout === 'plain' ? this.#plain() : this.#headersFirst();
    return this.#made[layout];
  }

  #plain(): Buffer {
    const { jpeg, number } = this.picture;
    const lines = [
      'Content-Type: image/jpeg',
      `Content-Length: ${jpeg.length}`,
      `X-Timestamp: ${this.#takenAt}`,
    ];
    if (number !== undefined) lines.push(`X-Frame: ${number}`);
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), jpeg, Buffer.from(NEXT)]);
  }

  /** Blink shows a part when the headers of the next one arrive: they are sent early, and cannot tell its length. */
  #headersFirst(): Buffer {
    return Buffer.concat([this.picture.jpeg, Buffer.from(NEXT + BARE_HEAD)]);
  }
}

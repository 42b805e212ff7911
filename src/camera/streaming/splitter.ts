/** Maximum size of an image; camera images are smaller. */
const MAX_BYTES = 8 * 1024 * 1024;
const MIN_BYTES = 128;
const SOI = Buffer.from([0xff, 0xd8]);

type State =
  /** Between images: waiting for FF, then for D8. */
  | 'outside'
  | 'outside-ff'
  /** In a marker: waiting for FF, then for the marker code. More FF bytes may precede the code. */
  | 'marker'
  | 'code'
  /** In a segment: two length bytes, then the content, which is skipped. */
  | 'length-high'
  | 'length-low'
  | 'segment'
  /** In entropy-coded data: `scan` waits for an FF byte, `scan-ff` for the byte that follows. */
  | 'scan'
  | 'scan-ff';

/**
 * Splits a stream of JPEGs at their markers (ITU-T T.81, B.1.1); chunks may have any size. Skips thumbnails
 * inside segments and drops incomplete or malformed images.
 */
export class JpegSplitter {
  readonly #onImage: (jpeg: Buffer) => void;
  readonly #maxBytes: number;
  #state: State = 'outside';
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Start of the current image's bytes in the current chunk. */
  #from = 0;
  #left = 0;
  #inScanHeader = false;
  #hasScan = false;
  #start: number[] = [];

  /** @param onImage receives each complete image in a separate buffer. */
  constructor(onImage: (jpeg: Buffer) => void, maxBytes = MAX_BYTES) {
    this.#onImage = onImage;
    this.#maxBytes = maxBytes;
  }

  /** False if the stream does not start with a JPEG. */
  get isJpeg(): boolean {
    return this.#start.every((byte, at) => byte === SOI[at]);
  }

  push(chunk: Buffer): void {
    if (this.#start.length < 2) this.#start.push(...chunk.subarray(0, 2 - this.#start.length));
    this.#from = 0;
    for (let at = 0; at < chunk.length; ) at = this.#step(chunk, at);
    if (this.#isOpen) this.#append(chunk.subarray(this.#from));
    if (this.#bytes > this.#maxBytes) this.#drop();
  }

  get #isOpen(): boolean {
    return this.#pieces.length > 0;
  }

  /** Consumes one byte, or skips to the next relevant byte; returns the position of the next unread byte. */
  #step(chunk: Buffer, at: number): number {
    switch (this.#state) {
      case 'outside':
      case 'scan': {
        const next = chunk.indexOf(0xff, at);
        if (next < 0) return chunk.length;
        this.#state = this.#state === 'scan' ? 'scan-ff' : 'outside-ff';
        return next + 1;
      }
      case 'segment': {
        const skipped = Math.min(this.#left, chunk.length - at);
        this.#left -= skipped;
        if (this.#left === 0) this.#leaveSegment();
        return at + skipped;
      }
      default:
        this.#consume(chunk, at, chunk[at] ?? 0);
        return at + 1;
    }
  }

  #consume(chunk: Buffer, at: number, byte: number): void {
    switch (this.#state) {
      case 'outside-ff':
        if (byte === 0xd8) this.#open(at);
        else if (byte !== 0xff) this.#state = 'outside';
        return;
      case 'marker':
        if (byte === 0xff) this.#state = 'code';
        else this.#drop();
        return;
      case 'code':
        if (byte === 0) this.#drop();
        else if (byte !== 0xff) this.#marker(chunk, at, byte);
        return;
      case 'scan-ff':
        if (byte === 0 || isRestart(byte)) this.#state = 'scan';
        else if (byte !== 0xff) this.#marker(chunk, at, byte);
        return;
      case 'length-high':
        this.#left = byte << 8;
        this.#state = 'length-low';
        return;
      case 'length-low':
        this.#enterSegment(this.#left + byte - 2);
    }
  }

  #marker(chunk: Buffer, at: number, code: number): void {
    if (code === 0xd8) return this.#open(at);
    if (code === 0xd9) return this.#finish(chunk.subarray(this.#from, at + 1));
    if (code === 0x01 || isRestart(code)) {
      this.#state = 'marker';
      return;
    }
    this.#inScanHeader = code === 0xda;
    this.#state = 'length-high';
  }

  #enterSegment(length: number): void {
    if (length < 0) return this.#drop();
    this.#left = length;
    this.#state = 'segment';
    if (length === 0) this.#leaveSegment();
  }

  #leaveSegment(): void {
    this.#hasScan ||= this.#inScanHeader;
    this.#state = this.#inScanHeader ? 'scan' : 'marker';
  }

  /** @param at position of the second byte of the image's SOI marker. */
  #open(at: number): void {
    this.#drop();
    this.#append(SOI);
    this.#from = at + 1;
    this.#state = 'marker';
  }

  #finish(rest: Buffer): void {
    const isValid = this.#hasScan && this.#bytes + rest.length >= MIN_BYTES;
    const image = isValid ? Buffer.concat([...this.#pieces, rest]) : undefined;
    this.#drop();
    if (image) this.#onImage(image);
  }

  #append(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  #drop(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#hasScan = false;
    this.#state = 'outside';
  }
}

function isRestart(code: number): boolean {
  return code >= 0xd0 && code <= 0xd7;
}

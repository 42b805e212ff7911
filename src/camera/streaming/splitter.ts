/** The largest image that is waited for, in bytes: above any real one, below what hurts. */
const MOST_BYTES = 8 * 1024 * 1024;
/** A shorter one cannot be a picture. */
const LEAST_BYTES = 128;
const SOI = Buffer.from([0xff, 0xd8]);

type State =
  /** Between images: looking for FF, then for D8. */
  | 'outside'
  | 'outside-ff'
  /** At a marker: FF, then its code; any number of FF may come before the code. */
  | 'marker'
  | 'code'
  /** In a segment: two bytes of length, then what is skipped. */
  | 'length-high'
  | 'length-low'
  | 'segment'
  /** In coded data: looking for FF, then for what it means. */
  | 'scan'
  | 'scan-ff';

/**
 * Cuts a stream of JPEGs into images by walking from marker to marker (ITU-T T.81, B.1.1): a thumbnail inside a segment
 * is not an image, and what breaks off or makes no sense is left out. Bytes may come in pieces of any size.
 */
export class JpegSplitter {
  readonly #onImage: (jpeg: Buffer) => void;
  readonly #mostBytes: number;
  #state: State = 'outside';
  /** Of the image that is open, without what of it is in the current chunk. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Where the open image goes on in the current chunk. */
  #from = 0;
  #left = 0;
  #inScanHeader = false;
  #hasScan = false;
  #start: number[] = [];

  /** Each image is handed over whole, in memory of its own. */
  constructor(onImage: (jpeg: Buffer) => void, mostBytes = MOST_BYTES) {
    this.#onImage = onImage;
    this.#mostBytes = mostBytes;
  }

  /** False as soon as the stream has begun with anything else than an image. */
  get isJpeg(): boolean {
    return this.#start.every((byte, at) => byte === SOI[at]);
  }

  push(chunk: Buffer): void {
    if (this.#start.length < 2) this.#start.push(...chunk.subarray(0, 2 - this.#start.length));
    this.#from = 0;
    for (let at = 0; at < chunk.length; ) at = this.#step(chunk, at);
    if (this.#isOpen) this.#keep(chunk.subarray(this.#from));
    if (this.#bytes > this.#mostBytes) this.#drop();
  }

  get #isOpen(): boolean {
    return this.#pieces.length > 0;
  }

  /** Takes one byte, or all up to the next that matters; answers where to go on. */
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
        this.#take(chunk, at, chunk[at] ?? 0);
        return at + 1;
    }
  }

  #take(chunk: Buffer, at: number, byte: number): void {
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
    // The last image broke off: this is the next.
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

  /** An image begins; `at` is the second byte of its first marker. */
  #open(at: number): void {
    this.#drop();
    this.#keep(SOI);
    this.#from = at + 1;
    this.#state = 'marker';
  }

  #finish(rest: Buffer): void {
    const isPicture = this.#hasScan && this.#bytes + rest.length >= LEAST_BYTES;
    const image = isPicture ? Buffer.concat([...this.#pieces, rest]) : undefined;
    this.#drop();
    if (image) this.#onImage(image);
  }

  #keep(piece: Buffer): void {
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

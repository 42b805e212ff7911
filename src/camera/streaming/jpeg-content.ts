import { crc32 } from 'node:zlib';

/** One segment's payload, or the coded data from the first scan header to the end of the file. */
interface Segment {
  marker: number;
  bytes: Buffer;
}

interface Component {
  id: number;
  /** Sampling factors. */
  horizontal: number;
  vertical: number;
  /** Number of the quantisation table. */
  quantisation: number;
}

interface Table {
  /**
   * For each value of the next 8 bits: the code's length in the upper byte and its symbol in the lower one; 0 if the
   * code has more than 8 bits.
   */
  short: Uint16Array;
  /** Greatest code of each length; -1 if there is none. */
  maxCode: Int32Array;
  /** Position of a code's symbol minus the code, for each length. */
  offset: Int32Array;
  symbols: Buffer;
}

const SOF_BASELINE = 0xc0;
const SOF_EXTENDED = 0xc1;
const DHT = 0xc4;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;
const COMMENT = 0xfe;

/** A block is black up to the first luma value and white from the second, on a scale of 0 to 255. */
const BLACK_MAX = 20;
const WHITE_MIN = 250;
/** An image is black or white if at most one in this many blocks is not. */
const OTHER_BLOCKS = 200;
/**
 * A black 1280x720 image takes up 6 to 30 kB. Reading this much takes about 3 ms; a longer image whose first part is
 * black counts as neither black nor white.
 */
const MAX_BYTES_READ = 32 * 1024;

/**
 * The content of a JPEG without its metadata; see ITU-T T.81, annexes B and F. The image must be complete.
 */
export class JpegContent {
  readonly #segments: Segment[];

  constructor(jpeg: Buffer) {
    this.#segments = [...segmentsOf(jpeg)];
  }

  /** Undefined if the image has no frame header. */
  get size(): { width: number; height: number } | undefined {
    const frame = this.#segments.find(({ marker }) => isFrameHeader(marker))?.bytes;
    if (!frame || frame.length < 6) return undefined;
    return { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1) };
  }

  /**
   * Equal for images that differ only in their metadata. Two different images have the same key with a probability
   * of 2^-32.
   */
  get key(): number {
    return this.#segments.reduce((sum, { bytes }) => crc32(bytes, sum), 0);
  }

  /**
   * `blank` is undefined if the image shows anything else, is not a baseline image, or is too long to decide.
   */
  get blank(): { blank: 'black' | 'white' | undefined; bytesRead: number } {
    try {
      return new BlockReader(this.#segments).read();
    } catch (error) {
      if (error instanceof RangeError) return { blank: undefined, bytesRead: 0 };
      throw error;
    }
  }
}

/** Skips metadata: application segments and comments. */
function* segmentsOf(jpeg: Buffer): Generator<Segment> {
  for (let at = 2; at + 4 <= jpeg.length; ) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker === 0xff || marker === 0x01 || (marker & 0xf8) === 0xd0) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === SOS) return yield { marker, bytes: jpeg.subarray(at + 4) };
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    const isMetadata = (marker & 0xf0) === 0xe0 || marker === COMMENT;
    if (!isMetadata) yield { marker, bytes: jpeg.subarray(at + 4, end) };
    at = end;
  }
}

/** Returns true for the markers C0 to CF, except C4, C8 and CC. */
function isFrameHeader(marker: number): boolean {
  return (marker & 0xf0) === 0xc0 && marker !== DHT && marker !== 0xc8 && marker !== 0xcc;
}

/** Tables and component of one block in a minimum coded unit (MCU). */
interface Block {
  dc: Table;
  ac: Table;
  /** Position of the block's component in the scan. */
  component: number;
}

/**
 * Reads the mean values of an image's luma blocks. In a normal image, the first rows of blocks are
 * sufficient. Throws `RangeError` if the image is not a baseline image.
 */
class BlockReader {
  readonly #units: number;
  /** The blocks of a unit; the luma blocks come first. */
  readonly #blocks: readonly Block[];
  readonly #lumaBlocks: number;
  readonly #lumaStep: number;
  readonly #restartInterval: number;
  readonly #coded: Buffer;
  #at = 0;
  #bits = 0;
  #bitCount = 0;

  constructor(segments: readonly Segment[]) {
    const frame = segments.find(({ marker }) => marker === SOF_BASELINE || marker === SOF_EXTENDED)?.bytes;
    const scan = segments.at(-1);
    if (frame?.[0] !== 8 || scan?.marker !== SOS) throw new RangeError('not a baseline JPEG');
    const components = componentsOf(frame);
    const count = scan.bytes[0] ?? 0;
    if (count !== components.length) throw new RangeError('more than one scan');
    // The sampling factors of an image with one component have no effect: each unit has one block.
    const isGrey = count === 1;
    const horizontal = isGrey ? 1 : Math.max(...components.map((component) => component.horizontal));
    const vertical = isGrey ? 1 : Math.max(...components.map((component) => component.vertical));
    this.#units =
      Math.ceil(frame.readUInt16BE(3) / (8 * horizontal)) * Math.ceil(frame.readUInt16BE(1) / (8 * vertical));
    const tables = tablesOf(segments);
    this.#blocks = components.flatMap((component, nth) => {
      const [id, classes = 0] = scan.bytes.subarray(1 + 2 * nth, 3 + 2 * nth);
      const [dc, ac] = [tables.get(classes >> 4), tables.get(16 + (classes & 15))];
      if (component.id !== id || !dc || !ac) throw new RangeError('a table is missing');
      const blocks = isGrey ? 1 : component.horizontal * component.vertical;
      return Array.from({ length: blocks }, () => ({ dc, ac, component: nth }));
    });
    this.#lumaBlocks = this.#blocks.filter(({ component }) => component === 0).length;
    this.#lumaStep = stepOf(segments, components[0]?.quantisation ?? 0);
    const interval = segments.find(({ marker }) => marker === DRI)?.bytes.readUInt16BE(0) ?? 0;
    this.#restartInterval = interval === 0 ? Number.POSITIVE_INFINITY : interval;
    this.#coded = scan.bytes.subarray(1 + 2 * count + 3);
  }

  read(): { blank: 'black' | 'white' | undefined; bytesRead: number } {
    const limit = (this.#units * this.#lumaBlocks) / OTHER_BLOCKS;
    const values = new Int32Array(4);
    let [notBlack, notWhite] = [0, 0];
    for (let unit = 0; unit < this.#units; unit += 1) {
      if (unit > 0 && unit % this.#restartInterval === 0) {
        this.#restart();
        values.fill(0);
      }
      for (const { dc, ac, component } of this.#blocks) {
        const value = (values[component] ?? 0) + this.#difference(dc);
        values[component] = value;
        this.#skip(ac);
        if (component > 0) continue;
        // The DC coefficient is eight times the block's mean, relative to 128.
        const mean = 128 + (value * this.#lumaStep) / 8;
        if (mean > BLACK_MAX) notBlack += 1;
        if (mean < WHITE_MIN) notWhite += 1;
      }
      const isOther = notBlack > limit && notWhite > limit;
      if (isOther || this.#at > MAX_BYTES_READ) return { blank: undefined, bytesRead: this.#at };
    }
    return { blank: notBlack <= limit ? 'black' : 'white', bytesRead: this.#at };
  }

  #difference(table: Table): number {
    const length = this.#symbol(table);
    if (length === 0) return 0;
    const value = this.#take(length);
    return value < 1 << (length - 1) ? value - (1 << length) + 1 : value;
  }

  #skip(table: Table): void {
    for (let index = 1; index < 64; index += 1) {
      const symbol = this.#symbol(table);
      const length = symbol & 15;
      const zeros = symbol >> 4;
      if (length > 0) this.#take(length);
      else if (zeros < 15) return;
      index += zeros;
    }
  }

  #symbol({ short, maxCode, offset, symbols }: Table): number {
    this.#fill(16);
    const entry = short[(this.#bits >> (this.#bitCount - 8)) & 0xff] ?? 0;
    if (entry > 0) {
      this.#bitCount -= entry >> 8;
      return entry & 0xff;
    }
    for (let length = 9; length <= 16; length += 1) {
      const code = (this.#bits >> (this.#bitCount - length)) & ((1 << length) - 1);
      if (code > (maxCode[length] ?? -1)) continue;
      this.#bitCount -= length;
      return symbols[code + (offset[length] ?? 0)] ?? 0;
    }
    throw new RangeError('unknown code');
  }

  #take(count: number): number {
    this.#fill(count);
    this.#bitCount -= count;
    return (this.#bits >> this.#bitCount) & ((1 << count) - 1);
  }

  /** Appends zeros at the end of the data and at markers. */
  #fill(count: number): void {
    while (this.#bitCount < count) {
      const byte = this.#coded[this.#at] ?? 0xff;
      const isMarker = byte === 0xff && this.#coded[this.#at + 1] !== 0;
      this.#bits = ((this.#bits & 0xffff) << 8) | (isMarker ? 0 : byte);
      this.#bitCount += 8;
      if (!isMarker) this.#at += byte === 0xff ? 2 : 1;
    }
  }

  #restart(): void {
    this.#bitCount = 0;
    this.#bits = 0;
    const isRestart = this.#coded[this.#at] === 0xff && ((this.#coded[this.#at + 1] ?? 0) & 0xf8) === 0xd0;
    if (!isRestart) throw new RangeError('a restart marker is missing');
    this.#at += 2;
  }
}

function componentsOf(frame: Buffer): Component[] {
  return Array.from({ length: frame[5] ?? 0 }, (_, nth) => {
    const [id = 0, factors = 0, quantisation = 0] = frame.subarray(6 + 3 * nth, 9 + 3 * nth);
    return { id, horizontal: factors >> 4, vertical: factors & 15, quantisation };
  });
}

/** The keys are the tables' numbers, plus 16 for AC tables. */
function tablesOf(segments: readonly Segment[]): Map<number, Table> {
  const tables = new Map<number, Table>();
  for (const { marker, bytes } of segments) {
    if (marker !== DHT) continue;
    for (let at = 0; at + 17 <= bytes.length; ) {
      const counts = bytes.subarray(at + 1, at + 17);
      const total = counts.reduce((sum, count) => sum + count, 0);
      tables.set(bytes[at] ?? 0, tableOf(counts, bytes.subarray(at + 17, at + 17 + total)));
      at += 17 + total;
    }
  }
  return tables;
}

function tableOf(counts: Buffer, symbols: Buffer): Table {
  const short = new Uint16Array(256);
  const maxCode = new Int32Array(17).fill(-1);
  const offset = new Int32Array(17);
  let [code, nth] = [0, 0];
  for (let length = 1; length <= 16; length += 1) {
    const count = counts[length - 1] ?? 0;
    offset[length] = nth - code;
    if (count > 0) maxCode[length] = code + count - 1;
    for (let left = count; left > 0; left -= 1) {
      if (length <= 8) {
        const first = code << (8 - length);
        short.fill((length << 8) | (symbols[nth] ?? 0), first, first + (1 << (8 - length)));
      }
      code += 1;
      nth += 1;
    }
    code <<= 1;
  }
  return { short, maxCode, offset, symbols };
}

/** Returns the quantisation step of the mean value. */
function stepOf(segments: readonly Segment[], number: number): number {
  for (const { marker, bytes } of segments) {
    if (marker !== DQT) continue;
    for (let at = 0; at < bytes.length; ) {
      const header = bytes[at] ?? 0;
      const isWide = header >> 4 === 1;
      if ((header & 15) === number) return isWide ? bytes.readUInt16BE(at + 1) : (bytes[at + 1] ?? 0);
      at += isWide ? 129 : 65;
    }
  }
  throw new RangeError('the quantisation table is missing');
}

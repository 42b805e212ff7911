/** The json-lines protocol (docs/protocol.md): one JSON object per line, optionally with a checksum. */
import { crc16 } from './crc.js';

/** Maximum length of a sent line in bytes, including the checksum but not the line feed. */
const MAX_SENT = 200;
/** Maximum length of a received line in bytes, not including the line ending. */
const MAX_READ = 256;
const LF = 10;
const CR = 13;
const BRACE = 123;
const CHECKSUM_BYTES = 5;

const encoder = new TextEncoder();
// `fatal` rejects invalid UTF-8 instead of replacing it.
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Encodes a UTF-8 line that ends with LF. The optional checksum is `*hhhh`: the CRC-16/CCITT-FALSE of
 * everything before the `*`, in lower-case hexadecimal. Throws a RangeError if the line exceeds 200 bytes.
 */
export function encodeLine(object: Record<string, unknown>, { checksum }: { checksum: boolean }): Uint8Array {
  const text = JSON.stringify(object);
  const tail = checksum ? `*${crc16(encoder.encode(text)).toString(16).padStart(4, '0')}` : '';
  const line = encoder.encode(`${text}${tail}\n`);
  const length = line.length - 1;
  if (length > MAX_SENT) throw new RangeError(`a line must not exceed ${MAX_SENT} bytes, got ${length}`);
  return line;
}

/** A command's numbers as received, in units that the sketch defines. */
interface LegacyCommand {
  cartID: number;
  distanceID: number;
  angleID: number;
}

/**
 * Returns the line that existing sketches expect: `{"cartID":1,"distanceID":1000,"angleID":90}` and LF, with the keys
 * in this order. Throws a RangeError that names the field if a value is not an integer.
 */
export function legacyJsonLine({ cartID, distanceID, angleID }: LegacyCommand): Uint8Array {
  for (const [name, value] of Object.entries({ cartID, distanceID, angleID })) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${name} must be a whole number, got ${value}`);
  }
  return encodeLine({ cartID, distanceID, angleID }, { checksum: false });
}

/** `notJson` is mostly text that a board prints while booting. */
type LineDrop = 'overlong' | 'notJson' | 'checksum';

interface LineReaderOptions {
  /** If true, lines that have no checksum are dropped. An existing checksum is always verified. */
  requireChecksum: boolean;
}

/**
 * Extracts JSON objects from a byte stream that may be split anywhere. Buffers at most 256 bytes and never
 * throws. Counts and drops overlong and invalid lines. Does not validate the objects.
 */
export class LineReader {
  readonly counters: Record<LineDrop, number> = { overlong: 0, notJson: 0, checksum: 0 };
  readonly #buffer = new Uint8Array(MAX_READ + 1);
  readonly #onLine: (object: unknown) => void;
  readonly #requireChecksum: boolean;
  #length = 0;
  #overlong = false;

  constructor(onLine: (object: unknown) => void, { requireChecksum }: LineReaderOptions) {
    this.#onLine = onLine;
    this.#requireChecksum = requireChecksum;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === LF) this.#endLine();
      else if (this.#length <= MAX_READ) this.#buffer[this.#length++] = byte;
      else this.#overlong = true;
    }
  }

  #endLine(): void {
    const length = this.#buffer[this.#length - 1] === CR ? this.#length - 1 : this.#length;
    const overlong = this.#overlong || length > MAX_READ;
    // The listener may throw or call `push`, so the state is reset first.
    this.#length = 0;
    this.#overlong = false;
    if (length === 0) return;
    const result = overlong ? 'overlong' : readLine(this.#buffer.subarray(0, length), this.#requireChecksum);
    if (typeof result === 'string') this.counters[result]++;
    else this.#onLine(result);
  }
}

function readLine(line: Uint8Array, requireChecksum: boolean): object | LineDrop {
  if (line[0] !== BRACE) return 'notJson';
  const starAt = line.length - CHECKSUM_BYTES;
  const tail = String.fromCharCode(...line.subarray(Math.max(0, starAt)));
  // A JSON object ends with a brace, so a tail that matches the pattern is a checksum.
  const hasChecksum = /^\*[0-9a-f]{4}$/i.test(tail);
  const isValid = hasChecksum && Number.parseInt(tail.slice(1), 16) === crc16(line, 0, starAt);
  if (hasChecksum ? !isValid : requireChecksum) return 'checksum';
  try {
    return JSON.parse(decoder.decode(hasChecksum ? line.subarray(0, starAt) : line));
  } catch {
    return 'notJson';
  }
}

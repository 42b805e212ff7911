/** The json-lines protocol of docs/protocol.md: one JSON object a line, with an optional checksum at its end. */
import { crc16 } from './crc.js';

/** The longest line that is sent, checksum included, line feed not. */
const MAX_SENT = 200;
/** The longest line that is read, its line ending not counted. */
const MAX_READ = 256;
const LF = 10;
const CR = 13;
const BRACE = 123;
/** `*` and four hexadecimal digits. */
const CHECKSUM_BYTES = 5;

const encoder = new TextEncoder();
// fatal: a broken character means a broken line, not a different text.
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * One object as a line of UTF-8 that ends with LF; with `checksum`, `*hhhh` (CRC-16/CCITT-FALSE of everything
 * before the `*`, lower case) stands before it. Throws a RangeError for a line over 200 bytes.
 */
export function encodeLine(object: Record<string, unknown>, { checksum }: { checksum: boolean }): Uint8Array {
  const text = JSON.stringify(object);
  const tail = checksum ? `*${crc16(encoder.encode(text)).toString(16).padStart(4, '0')}` : '';
  const line = encoder.encode(`${text}${tail}\n`);
  const length = line.length - 1;
  if (length > MAX_SENT) throw new RangeError(`a line must not exceed ${MAX_SENT} bytes, got ${length}`);
  return line;
}

/** The customer's three numbers, as the customer sent them: whole numbers, units are the sketch's business. */
interface LegacyCommand {
  cartID: number;
  distanceID: number;
  angleID: number;
}

/**
 * The line an existing sketch understands: `{"cartID":1,"distanceID":1000,"angleID":90}` and LF, in this order,
 * without a checksum. Throws a RangeError that names a field which is no whole number.
 */
export function legacyJsonLine({ cartID, distanceID, angleID }: LegacyCommand): Uint8Array {
  for (const [name, value] of Object.entries({ cartID, distanceID, angleID })) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${name} must be a whole number, got ${value}`);
  }
  return encodeLine({ cartID, distanceID, angleID }, { checksum: false });
}

/** Why a line was thrown away. `notJson` is mostly the text a board prints while it boots. */
type LineDrop = 'overlong' | 'notJson' | 'checksum';

interface LineReaderOptions {
  /** Drop lines without a checksum. A checksum that is there must be right in either case. */
  requireChecksum: boolean;
}

/**
 * Finds JSON objects in a stream of bytes, whatever the pieces it arrives in. Holds 256 bytes at most, drops longer
 * lines and whatever is no object, counts them in `counters`, and throws for no input. What `onLine` is given is
 * JSON from outside: an object, nothing more is known of it. Lines may end with CR LF; empty ones are no fault.
 */
export class LineReader {
  readonly counters: Record<LineDrop, number> = { overlong: 0, notJson: 0, checksum: 0 };
  // One byte more for a CR.
  readonly #buffer = new Uint8Array(MAX_READ + 1);
  readonly #onLine: (object: unknown) => void;
  readonly #requireChecksum: boolean;
  #length = 0;
  #overlong = false;

  constructor(onLine: (object: unknown) => void, { requireChecksum }: LineReaderOptions) {
    this.#onLine = onLine;
    this.#requireChecksum = requireChecksum;
  }

  /** Takes the next bytes of the stream; lines that end in them are handed on before it returns. */
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
    // Ready for the next line before anyone is called: the listener may throw, or push.
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
  // JSON of an object ends with a brace, which is no digit: such a tail is never part of it.
  const hasChecksum = /^\*[0-9a-f]{4}$/i.test(tail);
  const holds = hasChecksum && Number.parseInt(tail.slice(1), 16) === crc16(line, 0, starAt);
  if (hasChecksum ? !holds : requireChecksum) return 'checksum';
  try {
    return JSON.parse(decoder.decode(hasChecksum ? line.subarray(0, starAt) : line));
  } catch {
    return 'notJson';
  }
}

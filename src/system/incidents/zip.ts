import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

/** Smaller members are not compressed, because compression would not make them smaller. */
const MIN_COMPRESSED_BYTES = 200;
const VERSION = 20;
/** Bit 11 indicates that names are encoded in UTF-8. */
const FLAGS = 0x0800;
const STORED = 0;
const DEFLATED = 8;

interface Member {
  name: Buffer;
  /** The common fields of local and central headers: method, DOS time and date, CRC and sizes. */
  head: Buffer;
  offset: number;
}

/**
 * Writes a ZIP file member by member (APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16), without
 * encryption, splitting and ZIP64.
 */
export class ZipWriter {
  readonly #write: (bytes: Buffer) => Promise<unknown>;
  readonly #members: Member[] = [];
  #offset = 0;

  constructor(write: (bytes: Buffer) => Promise<unknown>) {
    this.#write = write;
  }

  /** @param at modification time, stored in UTC with a resolution of 2 s. */
  async add(name: string, content: Buffer, at: Date, { compress = true } = {}): Promise<void> {
    const isCompressed = compress && content.length >= MIN_COMPRESSED_BYTES;
    const body = isCompressed ? await promisify(deflateRaw)(content) : content;
    const head = headOf(isCompressed ? DEFLATED : STORED, at, crc32(content), body.length, content.length);
    const member = { name: Buffer.from(name), head, offset: this.#offset };
    this.#members.push(member);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(0x04034b50);
    await this.#put(Buffer.concat([local, head, sizes(member.name.length, 0), member.name]));
    await this.#put(body);
  }

  /** Writes the central directory, which completes the file. */
  async end(): Promise<void> {
    const start = this.#offset;
    const directory = Buffer.concat(this.#members.map(directoryEntry));
    await this.#put(directory);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50);
    end.writeUInt16LE(this.#members.length, 8);
    end.writeUInt16LE(this.#members.length, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(start, 16);
    await this.#put(end);
  }

  async #put(bytes: Buffer): Promise<void> {
    this.#offset += bytes.length;
    await this.#write(bytes);
  }
}

function headOf(method: number, at: Date, crc: number, packed: number, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(FLAGS, 2);
  head.writeUInt16LE(method, 4);
  const seconds = Math.floor(at.getUTCSeconds() / 2);
  head.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | seconds, 6);
  const years = Math.max(0, at.getUTCFullYear() - 1980);
  head.writeUInt16LE((years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(), 8);
  head.writeUInt32LE(crc, 10);
  head.writeUInt32LE(packed, 14);
  head.writeUInt32LE(size, 18);
  return head;
}

function directoryEntry({ name, head, offset }: Member): Buffer {
  const start = Buffer.alloc(6);
  start.writeUInt32LE(0x02014b50);
  start.writeUInt16LE(VERSION, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, head, sizes(name.length, 0), rest, name]);
}

function sizes(name: number, extra: number): Buffer {
  const two = Buffer.alloc(4);
  two.writeUInt16LE(name, 0);
  two.writeUInt16LE(extra, 2);
  return two;
}

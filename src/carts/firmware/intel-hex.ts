/** A program in the microcontroller's flash memory. */
export interface FirmwareProgram {
  /** Address of the first byte. */
  start: number;
  bytes: Buffer;
}

const DATA = 0;
const END = 1;
const SEGMENT = 2;
const START_SEGMENT = 3;
const LINEAR = 4;
const START_LINEAR = 5;
const BYTES_PER_RECORD = 16;
const ERASED = 0xff;
const MAX_BYTES = 0x40000;

/** Parses a file in Intel HEX format. Fills gaps with 0xFF. Throws an error if the file is damaged. */
export function parseHex(text: string): FirmwareProgram {
  const chunks: { address: number; bytes: Buffer }[] = [];
  let base = 0;
  let isEnded = false;
  for (const [at, line] of text.trim().split(/\r?\n/).entries()) {
    const bytes = Buffer.from(line.slice(1), 'hex');
    const [length = 0, high = 0, low = 0, type = -1] = bytes;
    const isWhole =
      line.startsWith(':') && bytes.length === length + 5 && line.length === 1 + 2 * bytes.length;
    const sum = bytes.reduce((total, byte) => total + byte, 0);
    if (isEnded || !isWhole || (sum & 0xff) !== 0) throw new Error(`line ${at + 1} is damaged`);
    const data = bytes.subarray(4, 4 + length);
    if (type === DATA) chunks.push({ address: base + high * 256 + low, bytes: data });
    else if (type === SEGMENT) base = data.readUInt16BE() * 16;
    else if (type === LINEAR) base = data.readUInt16BE() * 0x10000;
    else if (type === END) isEnded = true;
    else if (type !== START_SEGMENT && type !== START_LINEAR) throw new Error(`line ${at + 1} is damaged`);
  }
  if (!isEnded) throw new Error('the file is incomplete');
  const start = Math.min(...chunks.map(({ address }) => address));
  const end = Math.max(...chunks.map(({ address, bytes }) => address + bytes.length));
  if (chunks.length === 0 || end - start > MAX_BYTES) throw new Error('the file contains no program');
  const all = Buffer.alloc(end - start, ERASED);
  for (const { address, bytes } of chunks) bytes.copy(all, address - start);
  return { start, bytes: all };
}

export function formatHex({ start, bytes }: FirmwareProgram): string {
  const lines: string[] = [];
  let base = 0;
  for (let at = 0; at < bytes.length; at += BYTES_PER_RECORD) {
    const address = start + at;
    if (address - base >= 0x10000) {
      base = address - (address % 0x10000);
      lines.push(record(LINEAR, 0, Buffer.from([base >>> 24, (base >>> 16) & 0xff])));
    }
    lines.push(record(DATA, address - base, bytes.subarray(at, at + BYTES_PER_RECORD)));
  }
  lines.push(record(END, 0, Buffer.alloc(0)));
  return `${lines.join('\n')}\n`;
}

function record(type: number, address: number, data: Buffer): string {
  const bytes = Buffer.concat([Buffer.from([data.length, address >> 8, address & 0xff, type]), data]);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  return `:${Buffer.concat([bytes, Buffer.from([-sum & 0xff])])
    .toString('hex')
    .toUpperCase()}`;
}

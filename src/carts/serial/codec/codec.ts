import { crc16 } from './crc.js';
import type { Field } from './fields.js';
import { type Frame, type FrameHead, type FrameType, PAYLOADS, TYPE_BYTES } from './frames.js';

/**
 * CGW1, the serial protocol described in docs/protocol.md. A frame is packed to
 * `[version:4|flags:4][type][seq][session][payload][crc16]`, little-endian, then encoded with COBS and terminated
 * by 0x00.
 */

export { crc16 } from './crc.js';
export * from './frames.js';

const PROTOCOL_VERSION = 1;
const HEAD_BYTES = 4;
const CRC_BYTES = 2;
const ACK_REQ = 1;
const REPLY = 2;
const RETRY = 4;

export type DropCause = 'overflow' | 'cobs' | 'crc' | 'length' | 'version' | 'type' | 'value';

/** Present only if the dropped frame's CRC was valid; in that case, a controller replies with a NACK. */
export interface DropHead {
  seq: number;
  session: number;
  typeByte: number;
}

interface Drop {
  cause: DropCause;
  head?: DropHead;
}

interface Layout {
  type: FrameType;
  typeByte: number;
  fields: [name: string, field: Field<unknown>][];
  /** Minimum size in bytes; each item of a list adds `itemBytes`. */
  rawBytes: number;
  itemBytes: number;
}

const LAYOUTS = new Map((Object.keys(TYPE_BYTES) as FrameType[]).map((type) => [type, layoutOf(type)]));
const LAYOUT_BY_BYTE = new Map([...LAYOUTS.values()].map((layout) => [layout.typeByte, layout]));

function layoutOf(type: FrameType): Layout {
  const fields: Layout['fields'] = Object.entries(PAYLOADS[type]);
  const payloadBytes = fields.reduce((sum, [, field]) => sum + field.size, 0);
  const rawBytes = HEAD_BYTES + payloadBytes + CRC_BYTES;
  return { type, typeByte: TYPE_BYTES[type], fields, rawBytes, itemBytes: fields.at(-1)?.[1].itemSize ?? 0 };
}

/** Longest encoded frame, excluding the delimiter: 54 bytes raw, plus 1 byte of COBS overhead. */
const MAX_STUFFED = 55;

/** Appends the delimiter. Throws a RangeError that names the field if a value does not fit. */
export function encodeFrame(frame: Frame): Uint8Array {
  const stuffed = cobsEncode(packRaw(frame));
  const wire = new Uint8Array(stuffed.length + 1);
  wire.set(stuffed);
  return wire;
}

export function packRaw(frame: Frame): Uint8Array {
  const layout = LAYOUTS.get(frame.type);
  if (!layout) throw new RangeError(`type must be a known frame type, got ${String(frame.type)}`);
  const values: Record<string, unknown> = { ...frame };
  const raw = new Uint8Array(
    layout.rawBytes + layout.itemBytes * lengthOf(values[layout.fields.at(-1)?.[0] ?? '']),
  );
  const view = new DataView(raw.buffer);
  const flags = (frame.ackReq ? ACK_REQ : 0) | (frame.reply ? REPLY : 0) | (frame.retry ? RETRY : 0);
  raw.set([
    (PROTOCOL_VERSION << 4) | flags,
    layout.typeByte,
    headByte(frame, 'seq'),
    headByte(frame, 'session'),
  ]);
  let at = HEAD_BYTES;
  for (const [name, field] of layout.fields) {
    field.write(view, at, values[name], name);
    at += field.size;
  }
  const crcAt = raw.length - CRC_BYTES;
  view.setUint16(crcAt, crc16(raw, 0, crcAt), true);
  return raw;
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function headByte(head: FrameHead, name: 'seq' | 'session'): number {
  const value = head[name];
  if (Number.isInteger(value) && value >= 0 && value <= 255) return value;
  throw new RangeError(`${name} must be an integer from 0 to 255, got ${value}`);
}

/**
 * Consistent Overhead Byte Stuffing: replaces every zero byte with the distance to the next zero byte, so
 * that 0x00 can delimit frames. Does not append the delimiter. Overhead: 1 byte per 254 bytes or part
 * thereof.
 */
export function cobsEncode(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + Math.floor(bytes.length / 254) + 1);
  let codeAt = 0;
  let at = 1;
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) out[at++] = byte;
    // A full block has 254 non-zero bytes; if a full block ends the data, no further block follows.
    const full = at - codeAt === 255 && index < bytes.length - 1;
    if (byte !== 0 && !full) continue;
    out[codeAt] = at - codeAt;
    codeAt = at++;
  }
  out[codeAt] = at - codeAt;
  return out.subarray(0, at);
}

/**
 * Extracts frames from a byte stream that may be split anywhere. Buffers at most 55 bytes, resynchronises at
 * the next 0x00 and never throws. Counts invalid frames and reports them to `onDrop`; a controller replies
 * with a NACK if the CRC is valid.
 */
export class Deframer {
  readonly counters: Record<DropCause, number> = {
    overflow: 0,
    cobs: 0,
    crc: 0,
    length: 0,
    version: 0,
    type: 0,
    value: 0,
  };
  readonly #buffer = new Uint8Array(MAX_STUFFED);
  readonly #view = new DataView(this.#buffer.buffer);
  readonly #onFrame: (frame: Frame) => void;
  readonly #onDrop: ((cause: DropCause, head?: DropHead) => void) | undefined;
  #length = 0;
  #overflowed = false;

  constructor(onFrame: (frame: Frame) => void, onDrop?: (cause: DropCause, head?: DropHead) => void) {
    this.#onFrame = onFrame;
    this.#onDrop = onDrop;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === 0) this.#endFrame();
      else if (this.#length < MAX_STUFFED) this.#buffer[this.#length++] = byte;
      else this.#overflowed = true;
    }
  }

  #endFrame(): void {
    const length = this.#length;
    const overflowed = this.#overflowed;
    // The listener may throw or call `push`, so the state is reset first.
    this.#length = 0;
    this.#overflowed = false;
    if (length === 0) return;
    const rawBytes = overflowed ? -1 : cobsDecodeInPlace(this.#buffer, length);
    if (rawBytes < 0) this.#drop(overflowed ? 'overflow' : 'cobs');
    else this.#deliver(parseRaw(this.#buffer, this.#view, rawBytes));
  }

  #deliver(result: ReturnType<typeof parseRaw>): void {
    if ('cause' in result) this.#drop(result.cause, result.head);
    else this.#onFrame(result);
  }

  #drop(cause: DropCause, head?: DropHead): void {
    this.counters[cause]++;
    this.#onDrop?.(cause, head);
  }
}

/** `bytes` must not include the delimiter. Returns undefined if `bytes` is not valid COBS. */
export function cobsDecode(bytes: Uint8Array): Uint8Array | undefined {
  const copy = Uint8Array.from(bytes);
  const length = cobsDecodeInPlace(copy, copy.length);
  return length < 0 ? undefined : copy.subarray(0, length);
}

/** Decodes the first `length` bytes; returns the decoded length, or -1 if a block is invalid. */
function cobsDecodeInPlace(buffer: Uint8Array, length: number): number {
  let from = 0;
  let to = 0;
  while (from < length) {
    const code = buffer[from++] ?? 0;
    const end = from + code - 1;
    if (code === 0 || end > length) return -1;
    while (from < end) {
      const byte = buffer[from++] ?? 0;
      if (byte === 0) return -1;
      buffer[to++] = byte;
    }
    if (code < 255 && from < length) buffer[to++] = 0;
  }
  return to;
}

/** Decodes the first `rawBytes` bytes of `raw`. `view` must refer to the memory of `raw`. */
function parseRaw(raw: Uint8Array, view: DataView, rawBytes: number): Frame | Drop {
  if (rawBytes < HEAD_BYTES + CRC_BYTES) return { cause: 'length' };
  const crcAt = rawBytes - CRC_BYTES;
  if (crc16(raw, 0, crcAt) !== view.getUint16(crcAt, true)) return { cause: 'crc' };
  if (view.getUint8(0) >> 4 !== PROTOCOL_VERSION) return { cause: 'version' };
  const head = { typeByte: view.getUint8(1), seq: view.getUint8(2), session: view.getUint8(3) };
  const layout = LAYOUT_BY_BYTE.get(head.typeByte);
  if (!layout) return { cause: 'type', head };
  if (expectedBytes(layout, view) !== rawBytes) return { cause: 'length', head };
  return readFrame(layout, view) ?? { cause: 'value', head };
}

/**
 * Returns the length of a frame, including the items of its list. A list is always the last field, so in a frame
 * without items, the item count is the last byte before the checksum.
 */
function expectedBytes({ rawBytes, itemBytes }: Layout, view: DataView): number {
  return itemBytes === 0 ? rawBytes : rawBytes + itemBytes * view.getUint8(rawBytes - CRC_BYTES - 1);
}

function readFrame(layout: Layout, view: DataView): Frame | undefined {
  const flags = view.getUint8(0);
  const frame: Record<string, unknown> = {
    type: layout.type,
    seq: view.getUint8(2),
    session: view.getUint8(3),
    ackReq: (flags & ACK_REQ) !== 0,
    reply: (flags & REPLY) !== 0,
    retry: (flags & RETRY) !== 0,
  };
  let at = HEAD_BYTES;
  for (const [name, field] of layout.fields) {
    const value = field.read(view, at);
    if (value === undefined) return undefined;
    frame[name] = value;
    at += field.size;
  }
  // The cast is safe, because `Frame` is derived from the same table as the fields.
  return frame as unknown as Frame;
}

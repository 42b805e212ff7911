import { crc16 } from './crc.js';
import type { Field } from './fields.js';
import { type Frame, type FrameHead, type FrameType, PAYLOADS, TYPE_BYTES } from './frames.js';

/** Frame before COBS encoding: `[version:4|flags:4][type][seq][session][payload][crc16]`, little-endian. */
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
  /** Minimum size in bytes, to which each item of a list adds `itemBytes`. */
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

/** Decodes the first `rawBytes` bytes of `raw`. `view` must refer to the memory of `raw`. */
export function parseRaw(raw: Uint8Array, view: DataView, rawBytes: number): Frame | Drop {
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

/** The length of an empty list is followed only by the checksum, because a list is always the last field. */
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

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import {
  BLOCKED,
  CAPS,
  Deframer,
  encodeFrame,
  FAULTS,
  FIELD_TYPES,
  type Frame,
  type FrameType,
  PAYLOADS,
  TYPE_BYTES,
} from '../../../../../src/carts/serial/codec/codec.js';
import { END_CODES, RESET_CAUSES } from '../../../../../src/carts/serial/codec/event-reasons.js';
import { frameOfLine } from '../../../../../src/carts/serial/codec/json-frames.js';
import { LineReader } from '../../../../../src/carts/serial/codec/json-lines.js';
import { packageRoot } from '../../../../../src/shared/package-root.js';

const text = readFileSync(join(packageRoot(), 'docs/protocol.md'), 'utf8');

/** Returns the cells of the first table after a heading, excluding the header row. */
function tableAfter(heading: string): string[][] {
  const at = text.indexOf(`\n${heading}`);
  assert.notEqual(at, -1, heading);
  const lines = text.slice(at + 1).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const last = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return lines.slice(first + 2, last).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const SIZES: Record<string, number> = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4, '3 × u8': 3 };

interface DocumentedField {
  size: number;
  itemSize?: number;
  fields?: Readonly<Record<string, { size: number }>>;
}

/** Returns the offset, size and name of each field. The fields of a list follow its length, `count`. */
function rowsOf(fields: Readonly<Record<string, DocumentedField>>): [string, number, string][] {
  let offset = 0;
  return Object.entries(fields).flatMap(([name, { size, itemSize, fields: items }]) => {
    const at = String(offset);
    offset += size;
    if (!items) return [[at, size, name] satisfies [string, number, string]];
    const rows = rowsOf(items).map(([inner, itemBytes, item]): [string, number, string] => [
      `${offset + Number(inner)} + ${itemSize}n`,
      itemBytes,
      item,
    ]);
    return [[at, size, 'count'], ...rows];
  });
}

test('the documented field names, order and offsets of every payload match the codec', () => {
  for (const type of Object.keys(TYPE_BYTES) as FrameType[]) {
    const name = `0x${TYPE_BYTES[type].toString(16).padStart(2, '0')}`;
    const heading = type === 'ACK' || type === 'NACK' ? '### ACK 0x90 and NACK 0x91' : `### ${type} ${name}`;
    // SENSORS has no payload, so its section contains no table.
    if (type === 'SENSORS') continue;
    const documented = tableAfter(heading).map(([at, wire = '', field]) => [at, SIZES[wire], field]);
    assert.deepEqual(documented, rowsOf(PAYLOADS[type]), type);
  }
});

test('the documented numbers for types, faults, capabilities, reasons and NACK codes match the codec', () => {
  const bytes = (heading: string) =>
    tableAfter(heading).map(([byte, name]) => [name ?? '', Number(byte)] as const);
  const optional = bytes('| Optional type').filter(([name]) => name in TYPE_BYTES);
  assert.deepEqual(Object.fromEntries([...bytes('| Type | Name | Direction'), ...optional]), TYPE_BYTES);
  assert.deepEqual(Object.fromEntries(optional), pick(TYPE_BYTES, FIELD_TYPES));
  const directions = Object.values(BLOCKED).map((bit) => `bit ${Math.log2(bit)} =`);
  for (const bit of directions) assert.ok(tableAfter('### RANGES')[1]?.[3]?.includes(bit), bit);
  const faults = tableAfter('| Bit of `faults`');
  assert.deepEqual(
    faults.map(([bit]) => 1 << Number(bit)),
    Object.values(FAULTS),
  );
  const caps = tableAfter('| Bit of `caps`');
  assert.deepEqual(
    caps.map(([bit]) => 1 << Number(bit)),
    Object.values(CAPS),
  );
  const reasons = tableAfter('| Code | Name |').map(([code]) => Number(code));
  assert.deepEqual(reasons, Object.values(END_CODES));
  assert.deepEqual(Object.values(RESET_CAUSES), [0, 1, 2, 3]);
  for (const [code, name] of tableAfter('| NACK code')) {
    const raw = PAYLOADS.NACK.code.read(new DataView(Uint8Array.of(Number(code)).buffer), 0);
    assert.equal(raw, name);
  }
  for (const [number, name] of tableAfter('| `state` | Name')) {
    const raw = PAYLOADS.STATUS.state.read(new DataView(Uint8Array.of(Number(number)).buffer), 0);
    assert.equal(raw, name);
  }
});

function pick<T extends object>(object: T, keys: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as Partial<T>;
}

test('every worked example is a valid frame', () => {
  const rows = [
    ...tableAfter('## 13 Worked examples'),
    ...tableAfter('| Frame | Bytes |\n|---|---|\n| FIELD'),
  ];
  assert.equal(rows.length, 11);
  for (const [title = '', bytes = ''] of rows) {
    const wire = Buffer.from(bytes.replaceAll(' ', ''), 'hex');
    const frames: Frame[] = [];
    new Deframer((frame) => frames.push(frame)).push(wire);
    const [frame] = frames;
    assert.ok(frame && title.startsWith(frame.type), title);
    assert.deepEqual(Buffer.from(encodeFrame(frame)), wire);
  }
});

test('the example lines decode to the documented frames', () => {
  const lines = [...text.matchAll(/^\{"v":1.*$/gm)].map(([line]) => line);
  const read: unknown[] = [];
  const reader = new LineReader((object) => read.push(frameOfLine(object)?.type), { requireChecksum: false });
  for (const line of lines) reader.push(Buffer.from(`${line}\n`));
  assert.deepEqual(read, ['MOVE', 'HELLO_R', 'ACK', 'NACK', 'STATUS', 'EVENT']);
});

test.run();

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import {
  CAPS,
  Deframer,
  encodeFrame,
  FAULTS,
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

test('the documented field names, order and offsets of every payload match the codec', () => {
  for (const type of Object.keys(TYPE_BYTES) as FrameType[]) {
    const name = `0x${TYPE_BYTES[type].toString(16).padStart(2, '0')}`;
    const heading = type === 'ACK' || type === 'NACK' ? '### ACK 0x90 and NACK 0x91' : `### ${type} ${name}`;
    const fields: Record<string, { size: number }> = PAYLOADS[type];
    let offset = 0;
    const expected = Object.entries(fields).map(([field, { size }]) => {
      offset += size;
      return [String(offset - size), size, field];
    });
    const documented = tableAfter(heading).map(([at, wire = '', field]) => [at, SIZES[wire], field]);
    assert.deepEqual(documented, expected, type);
  }
});

test('the documented numbers for types, faults, capabilities, reasons and NACK codes match the codec', () => {
  const types = tableAfter('| Type | Name | Direction').map(([byte, name]) => [name, Number(byte)]);
  assert.deepEqual(Object.fromEntries(types), TYPE_BYTES);
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

test('every worked example is a valid frame', () => {
  const rows = tableAfter('## 13 Worked examples');
  assert.equal(rows.length, 6);
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

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { sectionsOf } from '../../../../src/carts/firmware/flash-sections.js';
import { formatHex, parseHex } from '../../../../src/carts/firmware/intel-hex.js';
import { Random } from '../serial/codec/codec-samples.js';

const PAGE = 128;

function program(length: number): Buffer {
  return Buffer.from(new Random(3).bytes(length));
}

/** Writes the first `count` sections to a memory that contains `before`. */
function written(before: Buffer, sections: readonly { hex: string }[], count: number): Buffer {
  const memory = Buffer.from(before);
  for (const { hex } of sections.slice(0, count)) {
    const { start, bytes } = parseHex(hex);
    bytes.copy(memory, start);
  }
  return memory;
}

test('an Intel HEX file is read back unchanged, even above 64 KiB', () => {
  for (const [start, length] of [
    [0, 1000],
    [0x80, 17],
    [0xfff8, 64],
    [0x1f000, 5000],
  ] as const) {
    const bytes = program(length);
    const read = parseHex(formatHex({ start, bytes }));
    assert.equal(read.start, start);
    assert.deepEqual(read.bytes, bytes);
  }
});

test('rejects an Intel HEX file that is damaged, truncated or empty', () => {
  const hex = formatHex({ start: 0, bytes: program(200) });
  const lines = hex.split('\n');
  const broken = [
    hex.replace(/^:10/, ':11'),
    hex.replace(/[0-9A-F]\n/, (end) => `${end.startsWith('0') ? '1' : '0'}\n`),
    lines.slice(0, -2).join('\n'),
    lines.toSpliced(3, 1, 'nonsense').join('\n'),
    ':00000001FF\n',
    '',
  ];
  for (const text of broken) assert.throws(() => parseHex(text), text.slice(0, 50));
});

test('the first page is written last, and until then it contains only a halt', () => {
  const bytes = program(5000);
  const sections = sectionsOf(formatHex({ start: 0, bytes }), 'uno');
  const old = Buffer.alloc(8000, 0x77);
  for (const count of [1, 2]) {
    const memory = written(old, sections, count);
    assert.equal(memory.subarray(0, 4).toString('hex'), 'f894ffcf');
    assert.ok(memory.subarray(4, PAGE).every((byte) => byte === 0xff));
  }
  assert.deepEqual(written(old, sections, 3).subarray(0, bytes.length), bytes);
  assert.deepEqual(
    sections.map((section) => section.bytes),
    [PAGE, bytes.length - PAGE, PAGE],
  );
});

test('rejects a program that does not begin at 0, or that would overwrite the boot loader', () => {
  const hex = (start: number, length: number) => formatHex({ start, bytes: program(length) });
  assert.throws(() => sectionsOf(hex(0x7e00, 500), 'uno'));
  assert.throws(() => sectionsOf(hex(0, 0x7e01), 'uno'));
  assert.throws(() => sectionsOf(hex(0, 0x7e00), 'nano-old'));
  assert.equal(sectionsOf(hex(0, 0x7e00), 'uno').length, 3);
  assert.equal(sectionsOf(hex(0, 0x3e000), 'mega').length, 3);
});

test.run();

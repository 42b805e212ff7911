import assert from 'node:assert/strict';
import { test } from 'uvu';
import { crc16 } from '../../../../../src/carts/serial/codec/codec.js';
import { encodeLine, LineReader, legacyJsonLine } from '../../../../../src/carts/serial/codec/json-lines.js';
import { Random } from './codec-samples.js';

const MOVE = { v: 1, t: 'move', id: 42, seq: 7, d: 1000, a: -900, s: 300, ttl: 1500 };
const MOVE_TEXT = '{"v":1,"t":"move","id":42,"seq":7,"d":1000,"a":-900,"s":300,"ttl":1500}';
const GOLDEN = `${MOVE_TEXT}*c199`;

const bytes = (text: string) => Buffer.from(text, 'utf8');

function read(input: string | Uint8Array, requireChecksum = false, piece = Number.POSITIVE_INFINITY) {
  const lines: unknown[] = [];
  const reader = new LineReader((object) => lines.push(object), { requireChecksum });
  const all = typeof input === 'string' ? bytes(input) : input;
  for (let at = 0; at < all.length; at += piece) reader.push(all.subarray(at, at + piece));
  return { lines, counters: reader.counters };
}

const NONE = { overlong: 0, notJson: 0, checksum: 0 };

test('the json-lines codec encodes a move as the golden line', () => {
  assert.equal(Buffer.from(encodeLine(MOVE, { checksum: true })).toString(), `${GOLDEN}\n`);
  assert.equal(Buffer.from(encodeLine(MOVE, { checksum: false })).toString(), `${MOVE_TEXT}\n`);
});

test('reads the golden line as a whole or byte by byte, with LF or CR LF', () => {
  for (const ending of ['\n', '\r\n']) {
    for (const piece of [1, 7, 1000]) {
      assert.deepEqual(read(GOLDEN + ending, true, piece), { lines: [MOVE], counters: NONE });
    }
  }
});

test('the json-lines codec pads a checksum to four digits', () => {
  const small = Array.from({ length: 5000 }, (_, n) => ({ n })).find(
    (object) => crc16(bytes(JSON.stringify(object))) < 0x100,
  );
  assert.ok(small);
  const line = Buffer.from(encodeLine(small, { checksum: true })).toString();
  assert.match(line, /\*00[0-9a-f]{2}\n$/);
  assert.deepEqual(read(line, true).lines, [small]);
});

test('drops a line with a wrong checksum, even if no checksum is required', () => {
  for (const required of [true, false]) {
    const { lines, counters } = read(`${MOVE_TEXT}*c198\n`, required);
    assert.deepEqual(lines, []);
    assert.deepEqual(counters, { ...NONE, checksum: 1 });
  }
});

test('the json-lines codec accepts an upper-case checksum', () => {
  assert.deepEqual(read(`${MOVE_TEXT}*C199\n`, true).lines, [MOVE]);
});

test('accepts a line without a checksum only when no checksum is required', () => {
  assert.deepEqual(read(`${MOVE_TEXT}\n`, false).lines, [MOVE]);
  assert.deepEqual(read(`${MOVE_TEXT}\n`, true), { lines: [], counters: { ...NONE, checksum: 1 } });
});

test('does not treat an asterisk in the last string as a checksum', () => {
  assert.deepEqual(read('{"a":"*12"}\n{"a":"*1234"}\n').lines, [{ a: '*12' }, { a: '*1234' }]);
});

test('ignores and counts boot messages from a board', () => {
  const boot = 'ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET)\n[1,2]\n42\n{"cut":\n{}trailing\n';
  const { lines, counters } = read(`${boot}${GOLDEN}\n`, false);
  assert.deepEqual(lines, [MOVE]);
  assert.deepEqual(counters, { ...NONE, notJson: 6 });
});

test('accepts a line of 256 bytes, drops a line of 257 bytes and reads the next line', () => {
  const padded = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
  assert.equal(padded(256).length, 256);
  for (const ending of ['\n', '\r\n']) {
    assert.equal(read(padded(256) + ending).lines.length, 1);
    const { lines, counters } = read(padded(257) + ending + GOLDEN + ending);
    assert.deepEqual(lines, [MOVE]);
    assert.deepEqual(counters, { ...NONE, overlong: 1 });
  }
});

test('counts 1 MB of data without a line feed as one dropped line', () => {
  const { lines, counters } = read(`${'{'.repeat(1_000_000)}\n${GOLDEN}\n`, true, 4096);
  assert.deepEqual(lines, [MOVE]);
  assert.deepEqual(counters, { ...NONE, overlong: 1 });
});

test('the json-lines codec drops a line with invalid UTF-8', () => {
  const broken = Buffer.concat([bytes('{"a":"'), Buffer.from([0xff]), bytes('"}\n')]);
  assert.deepEqual(read(broken), { lines: [], counters: { ...NONE, notJson: 1 } });
});

test("measures a line's length in bytes, not in characters", () => {
  const text = { a: 'ü'.repeat(96) };
  assert.equal(encodeLine(text, { checksum: false }).length, 201);
  assert.deepEqual(read(encodeLine(text, { checksum: false })).lines, [text]);
  assert.throws(() => encodeLine({ a: 'ü'.repeat(97) }, { checksum: false }), RangeError);
});

test('encodes a line of 200 bytes and rejects a longer line', () => {
  assert.equal(encodeLine({ a: 'x'.repeat(187) }, { checksum: true }).length, 201);
  assert.throws(() => encodeLine({ a: 'x'.repeat(188) }, { checksum: true }), {
    name: 'RangeError',
    message: 'a line must not exceed 200 bytes, got 201',
  });
});

test('the json-lines codec escapes a line feed inside a string', () => {
  const object = { note: 'one\ntwo' };
  assert.deepEqual(read(encodeLine(object, { checksum: true }), true).lines, [object]);
});

test('encodes only cartID, distanceID and angleID, in this order, for an existing Arduino sketch', () => {
  const line = legacyJsonLine({ angleID: 90, cartID: 1, distanceID: 1000 });
  assert.equal(Buffer.from(line).toString(), '{"cartID":1,"distanceID":1000,"angleID":90}\n');
});

test('rejects a legacy field that is not an integer and reports the field', () => {
  assert.throws(
    () => legacyJsonLine({ cartID: 1, distanceID: 1.5, angleID: 0 }),
    /distanceID must be a whole number/,
  );
});

test('the json-lines codec stays synchronised when a listener throws', () => {
  const lines: unknown[] = [];
  const reader = new LineReader(
    (object) => {
      lines.push(object);
      if (lines.length === 1) throw new Error('listener');
    },
    { requireChecksum: false },
  );
  assert.throws(() => reader.push(bytes('{"n":1}\n')), /listener/);
  reader.push(bytes('{"n":2}\n'));
  assert.deepEqual(lines, [{ n: 1 }, { n: 2 }]);
});

test('the json-lines codec reads every valid line among 100,000 corrupted lines', () => {
  const random = new Random(11);
  const golden = bytes(GOLDEN);
  let good = 0;
  const reader = new LineReader(() => good++, { requireChecksum: true });
  for (let round = 1; round <= 100_000; round++) {
    const broken = round % 2 === 0 ? random.bytes(random.int(0, 40)) : Uint8Array.from(golden);
    broken[random.int(0, broken.length)] = random.int(0, 255);
    reader.push(broken.subarray(0, random.int(0, broken.length)));
    reader.push(bytes('\n'));
    const before = good;
    reader.push(bytes(`${GOLDEN}\n`));
    assert.equal(good, before + 1);
  }
});

test.run();

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FIELD_TYPES, type Frame } from '../../../../../src/carts/serial/codec/codec.js';
import { frameOfLine, jsonLineOf } from '../../../../../src/carts/serial/codec/json-frames.js';
import { encodeLine, LineReader } from '../../../../../src/carts/serial/codec/json-lines.js';
import { Random, sampleFrames } from './codec-samples.js';

const isFieldFrame = ({ type }: Frame): boolean => (FIELD_TYPES as readonly string[]).includes(type);

const ANSWERED = ['HELLO', 'MOVE', 'STOP', 'ESTOP', 'ESTOP_RESET', 'LIMITS', 'EVENT'];
const NOT_IN_A_LINE = { uptimeMs: 0, batteryCa: 0, tempBoardC: null };
const ANSWERS = ['HELLO_R', 'ACK', 'NACK'];

test('converts a move to the expected object and back', () => {
  const line = { v: 1, t: 'move', id: 42, seq: 7, d: 1000, a: -900, s: 300, ttl: 1500 };
  const move = {
    type: 'MOVE',
    seq: 7,
    session: 0,
    ackReq: true,
    reply: false,
    retry: false,
    wireId: 42,
    distanceMm: 1000,
    angleDdeg: -900,
    maxSpeedMmps: 300,
    ttlMs: 1500,
    maxDurationDs: 0,
  } as const;
  assert.deepEqual(frameOfLine(line), move);
  assert.equal(JSON.stringify(jsonLineOf(move)), JSON.stringify({ ...line, max: 0 }));
});

test('converts every frame type to a line and back, except for fields that lines omit', () => {
  const random = new Random(9);
  for (let round = 0; round < 300; round++) {
    for (const sample of sampleFrames(random).filter((frame) => !isFieldFrame(frame))) {
      const { type } = sample;
      const head = { session: 0, ackReq: ANSWERED.includes(type), reply: ANSWERS.includes(type) };
      const frame = { ...sample, ...head, ...(type === 'STATUS' ? NOT_IN_A_LINE : {}) };
      assert.deepEqual(frameOfLine(JSON.parse(JSON.stringify(jsonLineOf(frame)))), frame);
    }
  }
});

test('the longest line of every frame type is within the length limit', () => {
  const random = new Random(10);
  const read: unknown[] = [];
  const reader = new LineReader((object) => read.push(object), { requireChecksum: true });
  for (let round = 0; round < 3000; round++) {
    for (const frame of sampleFrames(random).filter((sample) => !isFieldFrame(sample))) {
      // A STATUS frame is never resent.
      const retry = frame.retry && frame.type !== 'STATUS';
      reader.push(encodeLine(jsonLineOf({ ...frame, retry }), { checksum: true }));
    }
  }
  assert.equal(read.length, 3000 * 13);
});

test('rejects protective-field frames, which json-lines does not define', () => {
  for (const frame of sampleFrames(new Random(11)).filter(isFieldFrame)) {
    assert.throws(() => jsonLineOf(frame), RangeError, frame.type);
  }
});

test('the json-lines decoder reads missing members as 0 or null', () => {
  const status = frameOfLine({ v: 1, t: 'status', st: 'IDLE' });
  assert.ok(status?.type === 'STATUS');
  assert.deepEqual([status.wireId, status.batteryMv, status.soc, status.tempM1C], [0, 0, null, null]);
  const hello = frameOfLine({ v: 1, t: 'hello', proto: 1, n: 5 });
  assert.ok(hello?.type === 'HELLO_R');
  assert.deepEqual(hello.firmware, { major: 0, minor: 0, patch: 0 });
});

test('the json-lines decoder rejects objects that are not valid frames', () => {
  for (const line of [
    null,
    'move',
    {},
    { t: 'move', id: 1 },
    { v: 2, t: 'move', id: 1 },
    { v: 1, t: 'walk' },
    { v: 1, t: 'move', id: '1' },
    { v: 1, t: 'move', id: 1, d: 1.5 },
    { v: 1, t: 'move', id: 1, a: 40_000 },
    { v: 1, t: 'status', st: 'ASLEEP' },
    { v: 1, t: 'hb', arm: 2 },
    { v: 1, t: 'nack', c: 'TIRED' },
    { v: 1, t: 'hello', proto: 1, fw: 'new' },
    { v: 1, t: 'estop', seq: 256 },
  ]) {
    assert.equal(frameOfLine(line), undefined, JSON.stringify(line));
  }
});

test.run();

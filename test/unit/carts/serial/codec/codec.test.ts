import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { test } from 'uvu';
import {
  BLOCKED,
  CAPS,
  cobsDecode,
  cobsEncode,
  crc16,
  Deframer,
  type DropCause,
  type DropHead,
  encodeFrame,
  FAULTS,
  type Frame,
  type FrameHead,
  faultNames,
} from '../../../../../src/carts/serial/codec/codec.js';
import { Random, sampleFrames, wireOf } from './codec-samples.js';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

const REQUEST: FrameHead = { seq: 7, session: 0x3c, ackReq: true, reply: false, retry: false };
const REPLY: FrameHead = { ...REQUEST, ackReq: false, reply: true };

const MOVE: Frame = {
  ...REQUEST,
  type: 'MOVE',
  wireId: 42,
  distanceMm: 1000,
  angleDdeg: -900,
  maxSpeedMmps: 300,
  ttlMs: 1500,
  maxDurationDs: 80,
};

/** Example bytes from docs/protocol.md. */
const GOLDEN: [wire: string, frame: Frame][] = [
  ['06 11 10 07 3c 2a 01 01 03 e8 03 01 08 7c fc 2c 01 dc 05 50 03 2c a9 00', MOVE],
  [
    '06 12 90 07 3c 10 02 2a 01 01 03 f6 ce 00',
    { ...REPLY, type: 'ACK', ofType: 'MOVE', code: 0, wireId: 42 },
  ],
  [
    '08 12 91 07 3c 10 05 2a 01 01 03 82 06 00',
    { ...REPLY, type: 'NACK', ofType: 'MOVE', code: 'ESTOP_ACTIVE', wireId: 42 },
  ],
  [
    '03 11 01 0c 3c 01 01 f4 01 34 12 ed 5e b7 fd 00',
    {
      ...REQUEST,
      seq: 0,
      type: 'HELLO',
      protoMin: 1,
      protoMax: 1,
      heartbeatTimeoutMs: 500,
      hostNonce: 0x5eed1234,
    },
  ],
  [
    '0a 10 02 08 3c 01 f4 01 17 d4 00',
    { ...REQUEST, seq: 8, ackReq: false, type: 'HEARTBEAT', armed: true, timeoutMs: 500 },
  ],
  ['08 11 13 09 3c 01 34 f1 00', { ...REQUEST, seq: 9, type: 'ESTOP', source: 1 }],
];

/** Example bytes of the frames of version 1.1, from docs/protocol.md. */
const FIELD_GOLDEN: [wire: string, frame: Frame][] = [
  [
    '06 11 16 0a 3c 96 02 78 04 01 76 40 00',
    { ...REQUEST, seq: 10, type: 'FIELD', marginMm: 150, reactionMs: 120, flags: 1 },
  ],
  [
    '06 12 90 0a 3c 16 01 01 01 01 03 96 4a 00',
    { ...REPLY, seq: 10, type: 'ACK', ofType: 'FIELD', code: 0, wireId: 0 },
  ],
  ['07 11 04 0b 3c 36 1e 00', { ...REQUEST, seq: 11, type: 'SENSORS' }],
  [
    '06 12 87 0b 3c 02 01 03 1e fa 05 08 07 1b 82 03 33 a3 00',
    {
      ...REPLY,
      seq: 11,
      type: 'SENSORS_R',
      sensors: [
        { angleDdeg: 0, fieldOfViewDeg: 30, maxRangeCm: 250 },
        { angleDdeg: 1800, fieldOfViewDeg: 27, maxRangeCm: 130 },
      ],
    },
  ],
  [
    '05 10 86 1e 3c 03 01 02 0c 40 01 02 01 01 ff ff 04 01 8e 8f 00',
    {
      ...REPLY,
      reply: false,
      seq: 30,
      type: 'RANGES',
      bumpers: 0,
      blocked: BLOCKED.forward,
      ranges: [
        { sensor: 0, rangeMm: 320, ageCs: 2, flags: 1 },
        { sensor: 1, rangeMm: null, ageCs: 4, flags: 1 },
      ],
    },
  ],
];

interface Received {
  frames: Frame[];
  drops: [cause: DropCause, head?: DropHead][];
  counters: Partial<Record<DropCause, number>>;
}

/** Returns a new deframer's output for a stream that arrives in pieces, omitting counters that are 0. */
function receive(...pieces: Uint8Array[]): Received {
  const frames: Frame[] = [];
  const drops: Received['drops'] = [];
  const deframer = new Deframer(
    (frame) => frames.push(frame),
    (cause, head) => drops.push(head ? [cause, head] : [cause]),
  );
  for (const piece of pieces) deframer.push(piece);
  const counters = Object.fromEntries(Object.entries(deframer.counters).filter(([, count]) => count > 0));
  return { frames, drops, counters };
}

test('computes the check value of CRC-16/CCITT-FALSE and includes leading zero bytes', () => {
  const digits = Buffer.from('..123456789..');
  assert.equal(crc16(Buffer.from('123456789')), 0x29b1);
  assert.equal(crc16(digits, 2, 11), 0x29b1);
  assert.equal(crc16(new Uint8Array()), 0xffff);
  assert.notEqual(crc16(hex('00 01')), crc16(hex('01')));
});

test('encodes the COBS reference examples', () => {
  const run = Buffer.from(Array.from({ length: 255 }, (_, index) => index + 1));
  const pairs: [Uint8Array, Uint8Array][] = [
    [hex(''), hex('01')],
    [hex('00'), hex('01 01')],
    [hex('00 00'), hex('01 01 01')],
    [hex('11 22 00 33'), hex('03 11 22 02 33')],
    [hex('11 00 00 00'), hex('02 11 01 01 01')],
    [run.subarray(0, 254), Buffer.concat([hex('ff'), run.subarray(0, 254)])],
    [run, Buffer.concat([hex('ff'), run.subarray(0, 254), hex('02 ff')])],
    [Buffer.concat([hex('00'), run.subarray(0, 254)]), Buffer.concat([hex('01 ff'), run.subarray(0, 254)])],
  ];
  for (const [plain, stuffed] of pairs) {
    assert.deepEqual(Buffer.from(cobsEncode(plain)), Buffer.from(stuffed));
    assert.deepEqual(Buffer.from(cobsDecode(stuffed) ?? []), Buffer.from(plain));
  }
});

test('COBS output for data of any length does not contain zero bytes and decodes to the original data', () => {
  const random = new Random(1);
  for (let round = 0; round < 3000; round++) {
    const plain = random.bytes(random.int(0, 600)).map((byte) => (round % 3 === 0 ? byte & 1 : byte || 1));
    const stuffed = cobsEncode(plain);
    assert.equal(stuffed.includes(0), false);
    assert.ok(stuffed.length <= plain.length + Math.floor(plain.length / 254) + 1);
    assert.deepEqual(cobsDecode(stuffed), plain);
  }
});

test('rejects a COBS block that extends past the end of the data or contains a zero byte', () => {
  for (const broken of ['05 11', '02', '00', '03 11 00', '02 11 00']) {
    assert.equal(cobsDecode(hex(broken)), undefined);
  }
});

test('encodes the golden frames exactly', () => {
  for (const [wire, frame] of GOLDEN)
    assert.equal(Buffer.from(encodeFrame(frame)).compare(hex(wire)), 0, wire);
});

test('encodes and decodes the golden frames of version 1.1', () => {
  for (const [wire, frame] of FIELD_GOLDEN) {
    assert.equal(Buffer.from(encodeFrame(frame)).toString('hex'), wire.replaceAll(' ', ''));
    assert.deepEqual(receive(hex(wire)), { frames: [frame], drops: [], counters: {} });
  }
});

test('rejects a list that has more than eight items or whose item count does not match its length', () => {
  const head = '10 86 1e 3c 00 00';
  const item = ' 00 40 01 02 01';
  assert.deepEqual(receive(wireOf(hex(`${head} 02${item}`))).counters, { length: 1 });
  assert.deepEqual(receive(wireOf(hex(`${head} 00${item}`))).counters, { length: 1 });
  assert.deepEqual(receive(wireOf(hex('10 86 1e 3c 00'))).counters, { length: 1 });
  assert.deepEqual(receive(wireOf(hex(`${head} 09${item.repeat(9)}`))).counters, { value: 1 });
  const ranges = Array.from({ length: 9 }, () => ({ sensor: 0, rangeMm: 1, ageCs: 1, flags: 1 }));
  const tooLong: Frame = { ...REPLY, type: 'RANGES', bumpers: 0, blocked: 0, ranges };
  assert.throws(() => encodeFrame(tooLong), /ranges\.length must be an integer from 0 to 8/);
});

test('decodes the golden frames one at a time, byte by byte and concatenated', () => {
  const frames = GOLDEN.map(([, frame]) => frame);
  const stream = Buffer.concat(GOLDEN.map(([wire]) => hex(wire)));
  assert.deepEqual(receive(...GOLDEN.map(([wire]) => hex(wire))), { frames, drops: [], counters: {} });
  assert.deepEqual(receive(...[...stream].map((byte) => Uint8Array.of(byte))).frames, frames);
  assert.deepEqual(receive(stream).frames, frames);
});

test('encodes a STATUS frame in 45 bytes, and every frame in fewer than 64 bytes', () => {
  const lengths = sampleFrames(new Random(2)).map(
    (frame) => [frame.type, encodeFrame(frame).length] as const,
  );
  assert.equal(new Map(lengths).get('STATUS'), 45);
  for (const [type, length] of lengths) assert.ok(length <= 56, type);
});

test('decodes every encoded frame type to the original frame', () => {
  const random = new Random(3);
  for (let round = 0; round < 1000; round++) {
    const frames = sampleFrames(random);
    assert.deepEqual(receive(Buffer.concat(frames.map(encodeFrame))), { frames, drops: [], counters: {} });
  }
});

test('encodes null as -128 for temperatures and as 255 for the state of charge', () => {
  const status = sampleFrames(new Random(4)).find((frame) => frame.type === 'STATUS');
  assert.ok(status?.type === 'STATUS');
  const unmeasured = { ...status, tempBoardC: null, tempM1C: null, tempM2C: null, soc: null };
  const wire = encodeFrame(unmeasured);
  const raw = cobsDecode(wire.subarray(0, -1));
  assert.equal(Buffer.from(raw ?? []).toString('hex', 37, 41), '808080ff');
  assert.deepEqual(receive(wire).frames, [unmeasured]);
});

test('rejects a value outside its wire type and reports the field', () => {
  const status = sampleFrames(new Random(5)).find((frame) => frame.type === 'STATUS');
  assert.ok(status?.type === 'STATUS');
  const hello = {
    ...REPLY,
    type: 'HELLO_R',
    proto: 1,
    caps: 0,
    maxFrame: 54,
    maxSpeedMmps: 1,
    bootCount: 1,
  } as const;
  const wrong: [field: string, frame: Frame][] = [
    ['seq', { ...MOVE, seq: 256 }],
    ['session', { ...MOVE, session: -1 }],
    ['session', { ...MOVE, session: 0.5 }],
    ['wireId', { ...MOVE, wireId: 2 ** 32 }],
    ['distanceMm', { ...MOVE, distanceMm: 2 ** 31 }],
    ['distanceMm', { ...MOVE, distanceMm: -(2 ** 31) - 1 }],
    ['distanceMm', { ...MOVE, distanceMm: 1.5 }],
    ['angleDdeg', { ...MOVE, angleDdeg: 32768 }],
    ['maxSpeedMmps', { ...MOVE, maxSpeedMmps: -1 }],
    ['ttlMs', { ...MOVE, ttlMs: Number.NaN }],
    ['maxDurationDs', { ...MOVE, maxDurationDs: Number.POSITIVE_INFINITY }],
    ['source', { ...REQUEST, type: 'ESTOP', source: 256 }],
    ['tempM1C', { ...status, tempM1C: 128 }],
    ['tempM1C', { ...status, tempM1C: -128 }],
    ['soc', { ...status, soc: 255 }],
    [
      'firmware.minor',
      { ...hello, resetCause: 0, hostNonce: 0, firmware: { major: 1, minor: 256, patch: 0 } },
    ],
  ];
  for (const [field, frame] of wrong) {
    assert.throws(
      () => encodeFrame(frame),
      (error) => error instanceof RangeError && error.message.startsWith(`${field} must`),
      field,
    );
  }
});

test('rejects an unknown enum value and reports the field', () => {
  const parsed: Frame[] = JSON.parse(`[
    {"type":"STOP","seq":1,"session":1,"category":3,"wireId":0},
    {"type":"HEARTBEAT","seq":1,"session":1,"armed":1,"timeoutMs":500},
    {"type":"NACK","seq":1,"session":1,"ofType":"MOVE","code":"TIRED","wireId":0},
    {"type":"ACK","seq":1,"session":1,"ofType":"WALK","code":0,"wireId":0},
    {"type":"WALK","seq":1,"session":1}]`);
  const fields = parsed.map((frame) => {
    try {
      return encodeFrame(frame).length;
    } catch (error) {
      return error instanceof RangeError ? error.message.split(' ')[0] : error;
    }
  });
  assert.deepEqual(fields, ['category', 'armed', 'code', 'ofType', 'type']);
});

test('the decoder ignores zero bytes before a frame', () => {
  assert.deepEqual(receive(hex('00 00 00'), encodeFrame(MOVE), hex('00')), {
    frames: [MOVE],
    drops: [],
    counters: {},
  });
});

test('drops a truncated frame and decodes the next frame', () => {
  const wire = encodeFrame(MOVE);
  for (let lost = 1; lost < wire.length - 1; lost++) {
    const { frames, drops } = receive(wire.subarray(0, lost), hex('00'), wire);
    assert.deepEqual(frames, [MOVE]);
    assert.equal(drops.length, 1);
  }
});

test('the decoder detects any single flipped bit in a frame', () => {
  const wire = encodeFrame(MOVE);
  for (let bit = 0; bit < (wire.length - 1) * 8; bit++) {
    const flipped = wire.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.deepEqual(receive(flipped).frames, [], `bit ${bit}`);
  }
});

test('counts two frames without a delimiter between them as one dropped frame, and decodes the next frame', () => {
  const wire = encodeFrame(MOVE);
  const { frames, counters } = receive(wire.subarray(0, -1), wire, wire);
  assert.deepEqual(frames, [MOVE]);
  assert.equal(
    Object.values(counters).reduce((sum, count) => sum + count, 0),
    1,
  );
});

test('counts a frame that never ends as one overflow', () => {
  const { frames, counters } = receive(
    ...Array(256).fill(new Uint8Array(4096).fill(0x55)),
    hex('00'),
    encodeFrame(MOVE),
  );
  assert.deepEqual(frames, [MOVE]);
  assert.deepEqual(counters, { overflow: 1 });
});

test('accepts 55 bytes before the delimiter and counts 56 bytes as an overflow', () => {
  const payload = new Uint8Array(52).fill(1, 0, 1).fill(0x11, 1);
  const longest = wireOf(payload);
  assert.equal(longest.length, 56);
  assert.deepEqual(receive(longest).counters, { version: 1 });
  assert.deepEqual(receive(wireOf(new Uint8Array(53).fill(0x21))).counters, { overflow: 1 });
});

test('counts invalid COBS, a short frame, a wrong CRC and an unsupported version separately', () => {
  const wrongCrc = Buffer.concat([cobsEncode(hex('10 02 08 3c 01 f4 01 00 00')), hex('00')]);
  assert.deepEqual(receive(hex('09 11 00')).drops, [['cobs']]);
  assert.deepEqual(receive(hex('04 11 01 02 00')).drops, [['length']]);
  assert.deepEqual(receive(wrongCrc).drops, [['crc']]);
  assert.deepEqual(receive(wireOf(hex('20 02 08 3c 01 f4 01'))).drops, [['version']]);
});

test('reports the header of a frame with a valid CRC but an unknown type or wrong length', () => {
  assert.deepEqual(receive(wireOf(hex('11 77 21 3c 01'))).drops, [
    ['type', { seq: 0x21, session: 0x3c, typeByte: 0x77 }],
  ]);
  assert.deepEqual(receive(wireOf(hex('11 13 22 3c 01 02'))).drops, [
    ['length', { seq: 0x22, session: 0x3c, typeByte: 0x13 }],
  ]);
});

test('the decoder drops a frame with an undefined enum value', () => {
  const status = (state: string) => `12 82 01 3c 00000000 ${state} ${'00'.repeat(32)}`;
  assert.equal(receive(wireOf(hex(status('06')))).frames.length, 1);
  for (const raw of [
    status('09'),
    '11 12 01 3c 03 00000000',
    '10 02 01 3c 02 f401',
    '12 91 01 3c 10 01 00000000',
    '12 91 01 3c 10 0c 00000000',
    '12 90 01 3c 77 00 00000000',
    '11 83 01 3c 00000000 07 00 00000000 0000',
  ]) {
    const { frames, counters } = receive(wireOf(hex(raw)));
    assert.deepEqual([frames, counters], [[], { value: 1 }], raw);
  }
});

test('the decoder ignores the reserved flag bit', () => {
  assert.deepEqual(receive(wireOf(hex('19 13 09 3c 01'))).frames, [
    { ...REQUEST, seq: 9, type: 'ESTOP', source: 1 },
  ]);
});

test('the decoder stays synchronised when a listener throws or calls push()', () => {
  const wire = encodeFrame(MOVE);
  const frames: Frame[] = [];
  const deframer = new Deframer((frame) => {
    frames.push(frame);
    if (frames.length === 1) deframer.push(wire);
    if (frames.length === 3) throw new Error('listener');
  });
  deframer.push(wire);
  assert.throws(() => deframer.push(wire), /listener/);
  deframer.push(wire);
  assert.deepEqual(frames, [MOVE, MOVE, MOVE, MOVE]);
});

test('lists the names of faults in bit order', () => {
  assert.deepEqual(faultNames(FAULTS.linkLost | FAULTS.undervolt | 0x8000), ['undervolt', 'linkLost']);
  assert.deepEqual(faultNames(0x3fff), Object.keys(FAULTS));
  assert.equal(FAULTS.sensorSilent, 1 << 12);
  assert.equal(CAPS.simulated, 0x8000);
});

const collectGarbage = (() => {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  return () => {
    if (typeof gc === 'function') gc();
  };
})();

/** Returns a burst of noise: random bytes or a corrupted frame. */
function noise(random: Random, wires: [Uint8Array, ...Uint8Array[]]): Uint8Array {
  const wire = random.pick(wires);
  switch (random.int(0, 4)) {
    case 0:
      return random.bytes(random.int(0, random.pick([8, 24, 100])));
    case 1: {
      const flipped = wire.slice();
      for (let flips = random.int(1, 4); flips > 0; flips--) {
        const at = random.int(0, wire.length - 1);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << random.int(0, 7));
      }
      return flipped;
    }
    case 2:
      return Buffer.concat([wire.subarray(0, -1), random.pick(wires)]);
    case 3:
      return wire.subarray(0, random.int(0, wire.length - 1));
    default:
      return wire.subarray(random.int(0, wire.length - 1));
  }
}

// Fault case 21
test('decodes every valid frame among a million blocks of noise, with constant memory use', () => {
  const random = new Random(6);
  const samples = Array.from({ length: 20 }, () => sampleFrames(random)).flat();
  const [first, ...others] = samples.map((frame) => ({ frame, wire: encodeFrame(frame) }));
  assert.ok(first);
  const pool = [first, ...others] as const;
  const wires: [Uint8Array, ...Uint8Array[]] = [first.wire, ...others.map(({ wire }) => wire)];
  const received: Frame[] = [];
  let drops = 0;
  const deframer = new Deframer(
    (frame) => received.push(frame),
    () => drops++,
  );
  const delimiter = Uint8Array.of(0);
  const heapAfter: number[] = [];
  for (let round = 0; round < 1_000_000; round++) {
    deframer.push(noise(random, wires));
    deframer.push(delimiter);
    received.length = 0;
    const { frame, wire } = random.pick(pool);
    const cut = random.int(0, wire.length);
    deframer.push(wire.subarray(0, cut));
    deframer.push(wire.subarray(cut));
    // Only every hundredth frame is compared in full, because comparing all frames would take longer than
    // decoding them.
    if (round % 100 === 0) assert.deepEqual(received, [frame]);
    const [seen] = received;
    if (seen?.type !== frame.type || seen.seq !== frame.seq) assert.fail(`frame ${round} was not read`);
    if (round % 200_000 === 199_999) {
      collectGarbage();
      heapAfter.push(process.memoryUsage().heapUsed);
    }
  }
  const [early = 0] = heapAfter;
  const growth = Math.max(...heapAfter) - early;
  assert.ok(growth < 1_000_000, `the heap grew by ${growth} bytes`);
  assert.ok(drops > 500_000, `only ${drops} drops`);
  assert.deepEqual(
    Object.values(deframer.counters).reduce((sum, count) => sum + count, 0),
    drops,
  );
});

test.run();

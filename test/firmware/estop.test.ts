import assert from 'node:assert/strict';
import { test } from 'uvu';
import { cobsEncode, crc16, type FrameBody } from '../../src/carts/serial/codec/codec.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, type BenchEvent, CYCLES_PER_MS, missingTool } from './bench.js';
import { BenchScript } from './bench-script.js';

/** From the press to motor enable off, in ms. */
const LIMIT_MS = 5;
/** A shorter pulse may be missed. */
const SHORTEST_PULSE_MS = 2;
const EDGES = 1000;
const FLOODED_EDGES = 300;
const PULSES = 1000;

let bench: Bench;
test.before(() => {
  bench = new Bench();
});
test.after(() => bench.dispose());

/**
 * Returns the time from each press to motor enable off, in ms: 0 if enable was already off, and Infinity if it
 * stayed on until the next press.
 */
function latencies(events: BenchEvent[]): number[] {
  const times: number[] = [];
  let level = 0;
  let pressedAt: number | undefined;
  for (const one of events) {
    if (one.event === 'estop' && one.pressed === 1) {
      if (pressedAt !== undefined) times.push(Number.POSITIVE_INFINITY);
      pressedAt = one.cycle;
      if (level === 1) continue;
      times.push(0);
      pressedAt = undefined;
    }
    if (one.event !== 'enable') continue;
    level = one.level;
    if (level === 1 || pressedAt === undefined) continue;
    times.push((one.cycle - pressedAt) / CYCLES_PER_MS);
    pressedAt = undefined;
  }
  return pressedAt === undefined ? times : [...times, Number.POSITIVE_INFINITY];
}

function summary(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(3);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

const print = (text: string): void => void process.stdout.write(`  ${text}\n`);

/** Starts a motion after the previous stop has been reset. */
function drive(script: BenchScript, random: Random): BenchScript {
  return script
    .pressReset()
    .heartbeat()
    .move()
    .wait(10 + random.int(0, 20_000) / 1000);
}

test('switches motor enable off within 5 ms of every press of the E-stop', async () => {
  const random = new Random(1);
  const script = new BenchScript().ready().command('frames', 0);
  for (let n = 0; n < EDGES; n++) {
    drive(script, random)
      .estop(true)
      .wait(6 + random.int(0, 1000) / 1000)
      .estop(false);
  }
  const times = latencies(await bench.run(script.report()));
  print(`press to enable off, ${times.length} presses: ${summary(times)}`);
  assert.equal(times.length, EDGES);
  assert.ok(
    times.every((ms) => ms <= LIMIT_MS),
    summary(times),
  );
});

const own = { protoMin: 1, protoMax: 1, heartbeatTimeoutMs: 500 } as const;
const limits = { maxSpeedMmps: 400, accelMmps2: 400, decelMmps2: 500, omegaMaxDdegps: 900 } as const;
const target = { distanceMm: 900, angleDdeg: 0, maxSpeedMmps: 300, ttlMs: 1500, maxDurationDs: 80 } as const;

/** What arrives back to back while the E-stop is pressed. */
const FLOODS: Readonly<Record<string, (script: BenchScript, random: Random) => Uint8Array>> = {
  HELLO: frame({ type: 'HELLO', ...own, hostNonce: 7 }),
  HEARTBEAT: frame({ type: 'HEARTBEAT', armed: true, timeoutMs: 500 }),
  MOVE: frame({ type: 'MOVE', wireId: 9, ...target }),
  'known MOVE': frame({ type: 'MOVE', wireId: 100, ...target }),
  JOG: frame({ type: 'JOG', wireId: 5, speedMmps: 100, omegaDdegps: 0, leaseMs: 500 }),
  STOP: frame({ type: 'STOP', category: 2, wireId: 8 }),
  ESTOP_RESET: frame({ type: 'ESTOP_RESET', nonce: 3 }),
  LIMITS: frame({ type: 'LIMITS', ...limits }),
  ACK: frame({ type: 'ACK', ofType: 'EVENT', code: 0, wireId: 8 }),
  NACK: frame({ type: 'NACK', ofType: 'EVENT', code: 'RANGE', wireId: 8 }),
  'frame of another session': (script) =>
    script.frame({ type: 'HEARTBEAT', armed: true, timeoutMs: 500 }, { session: 9 }),
  'unknown type': (_, random) => raw([0x11, 0x44, random.int(0, 255), 0x3c]),
  'wrong length': (_, random) => raw([0x11, 0x12, random.int(0, 255), 0x3c, 1, 2]),
  'longest frame': (_, random) => raw([0x11, 0x77, 1, 0x3c, ...random.bytes(48)]),
  'own STATUS': (_, random) => raw([0x10, 0x82, 1, 0x3c, ...random.bytes(37)]),
  'wrong CRC': (_, random) => Buffer.concat([cobsEncode(random.bytes(20)), Buffer.of(0)]),
  zeros: () => Buffer.alloc(20),
  'noise without zeros': (_, random) => random.bytes(30).map((byte) => byte || 1),
  noise: (_, random) => random.bytes(30).map((byte) => (byte < 40 ? 0 : byte)),
  ESTOP: frame({ type: 'ESTOP', source: 1 }),
};

function frame(body: FrameBody) {
  return (script: BenchScript) => script.frame(body);
}

function raw(bytes: number[]): Uint8Array {
  const crc = crc16(Uint8Array.from(bytes));
  return Buffer.concat([cobsEncode(Uint8Array.from([...bytes, crc & 0xff, crc >> 8])), Buffer.of(0)]);
}

/** Transmits for about `ms` milliseconds without a gap. */
function flood(script: BenchScript, random: Random, name: string, ms: number): void {
  const make = FLOODS[name] ?? (() => Buffer.alloc(0));
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < ms * 11.52; ) {
    const part = make(script, random);
    parts.push(part);
    bytes += part.length;
  }
  script.bytes(Buffer.concat(parts));
}

test('switches motor enable off within 5 ms of a press during floods of every frame type and noise', async () => {
  const names = Object.keys(FLOODS);
  const rounds = Math.ceil(FLOODED_EDGES / names.length);
  const runs = names.map(async (name) => {
    const random = new Random(name.length);
    const script = new BenchScript().ready().command('frames', 0);
    for (let n = 0; n < rounds; n++) {
      drive(script, random);
      flood(script, random, name, 120);
      script.wait(20 + random.int(0, 80_000) / 1000).estop(true);
      script.drain().wait(30).estop(false).wait(1);
    }
    const events = await bench.run(script.report());
    return { name, times: latencies(events), events };
  });
  const results = await Promise.all(runs);
  for (const { name, times, events } of results) {
    const board = events.find((one) => one.event === 'board');
    const line = events.find((one) => one.event === 'line');
    print(
      `flood of ${name}, ${times.length} presses: ${summary(times)}, longest loop ${board?.longestLoopUs} us, longest time between two reads ${board?.longestUnwatchedUs} us, ${line?.overruns} overruns`,
    );
  }
  for (const { name, times, events } of results) {
    assert.equal(times.length, rounds);
    const board = events.find((one) => one.event === 'board');
    assert.ok(board && board.longestUnwatchedUs < SHORTEST_PULSE_MS * 1000, name);
    // An ESTOP frame has already switched enable off.
    if (name !== 'ESTOP')
      assert.ok(
        times.every((ms) => ms <= LIMIT_MS),
        `${name}: ${summary(times)}`,
      );
  }
});

test('latches at every pulse of 2 ms', async () => {
  const random = new Random(2);
  const names = Object.keys(FLOODS).filter((name) => name !== 'ESTOP');
  const script = new BenchScript().ready().command('frames', 0);
  for (let n = 0; n < PULSES; n++) {
    drive(script, random);
    if (n % 2) flood(script, random, names[(n >> 1) % names.length] ?? '', 20);
    script
      .wait(random.int(0, 12_000) / 1000)
      .estop(true)
      .wait(SHORTEST_PULSE_MS)
      .estop(false)
      .drain()
      .wait(4);
  }
  const times = latencies(await bench.run(script.report()));
  print(`${PULSES} pulses of 2 ms: ${summary(times)}`);
  assert.ok(
    times.every((ms) => ms <= LIMIT_MS),
    summary(times),
  );
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/estop.test.ts: ${missing} is not installed\n`);
else test.run();

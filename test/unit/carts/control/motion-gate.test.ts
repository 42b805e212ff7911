import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { GatedMotion } from '../../../../src/carts/control/contracts.js';
import { LiveLimits, UNLIMITED } from '../../../../src/carts/control/live-limits.js';
import type { FrameOf } from '../../../../src/carts/serial/codec/codec.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { CartHarness, OPERATOR, openGate, PEER, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { hasCode } from '../../../helpers/has-code.js';

const test = suite('hook for the motion gate');

const JOG = { mode: 'jog', ttlMs: 500 };
const REFUSED = openGate({ check: () => ({ refusal: { code: 'REJECTED', text: 'the way is closed' } }) });

for (const [title, send] of [
  ['a single command', (harness) => harness.move(1000)],
  ['a turn', (harness) => harness.move(0, 90)],
  ['a jog', (harness) => harness.move(100, 10, JOG)],
  ['a command from another gateway', (harness) => harness.move(1000, 0, {}, PEER)],
  ['a jog from another gateway', (harness) => harness.move(100, 0, JOG, PEER)],
] as [string, (harness: CartHarness) => unknown][]) {
  test(`refuses ${title} before anything is sent`, async () => {
    const harness = await CartHarness.ready();
    harness.gate = REFUSED;
    assert.throws(() => send(harness), hasCode('REJECTED'));
    await harness.run(1000);
    assert.equal(harness.controller.snapshot().motions, 0);
    await harness.close();
  });
}

test('refuses a queued command when it starts, at its own starting point', async () => {
  const harness = await CartHarness.ready();
  const first = harness.move(100);
  const second = harness.move(1000, 0, { onBusy: 'queue', ttlMs: 10_000 });
  harness.gate = openGate({
    check: (motion) => (motion.order.distanceMm === 1000 ? REFUSED : openGate()).check(motion),
  });
  await harness.run(4000);
  assert.deepEqual([first.state, second.state], ['FINISHED', 'FAILED']);
  assert.equal(second.reason?.code, 'REJECTED');
  assert.equal(harness.controller.snapshot().motions, 1);
  await harness.close();
});

test('refuses a queued command that starts immediately', async () => {
  const harness = await CartHarness.ready();
  harness.gate = REFUSED;
  const command = harness.move(1000, 0, { onBusy: 'queue' });
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'REJECTED']);
  assert.equal(harness.controller.snapshot().motions, 0);
  await harness.close();
});

test('a jog that the gate no longer permits cannot be renewed, and ends', async () => {
  const harness = await CartHarness.ready();
  const jog = harness.move(100, 0, JOG);
  await harness.run(300);
  harness.gate = REFUSED;
  assert.throws(() => harness.move(100, 0, JOG), hasCode('REJECTED'));
  await harness.run(2000);
  assert.ok(jog.final);
  await harness.close();
});

test('is asked about at most 20 refused commands and 50 refused renewals per second', async () => {
  const harness = await CartHarness.ready();
  let asked = 0;
  harness.gate = openGate({
    check(motion) {
      asked += 1;
      return motion.order.distanceMm === 50 ? openGate().check(motion) : REFUSED.check(motion);
    },
  });
  const flood = async (send: () => unknown): Promise<Set<unknown>> => {
    asked = 0;
    const codes = new Set<unknown>();
    for (let n = 0; n < 200; n++) {
      assert.throws(send, (error) => error instanceof GatewayError && codes.add(error.code) !== undefined);
      if (n % 5 === 0) await harness.run(5);
    }
    return codes;
  };
  assert.deepEqual([...(await flood(() => harness.move(1000)))], ['REJECTED', 'RATE']);
  assert.ok(asked >= 20 && asked <= 25, `${asked} times`);
  await harness.run(1000);
  const jog = harness.move(50, 0, JOG);
  assert.deepEqual([...(await flood(() => harness.move(60, 0, JOG)))], ['REJECTED', 'RATE']);
  assert.ok(!jog.final);
  // The running jog is checked every 50 ms.
  assert.ok(asked >= 10 && asked <= 25, `${asked} times`);
  await harness.close();
});

test('is asked about each motion with its sender, and every 50 ms about how far the cart has driven', async () => {
  const harness = await CartHarness.ready();
  const asked: GatedMotion[] = [];
  harness.gate = openGate({
    check(motion) {
      asked.push(motion);
      return { refusal: undefined, limits: UNLIMITED };
    },
  });
  const command = harness.move(200, 30);
  assert.deepEqual(
    asked.map(({ phase, order, origin }) => [phase, order.kind, order.distanceMm, origin.actor]),
    [
      ['accept', 'move', 200, OPERATOR.actor],
      ['send', 'move', 200, OPERATOR.actor],
    ],
  );
  await harness.run(500);
  assert.equal(asked.length, 12);
  while (!command.final) await harness.run(50);
  const { phase, driven } = asked.at(-1) ?? {};
  assert.equal(phase, 'running');
  assert.ok(driven && driven.distanceMm > 150 && Math.abs(driven.angleDeg - 30) < 2, JSON.stringify(driven));
  await harness.close();
});

for (const mode of ['move', 'jog'] as const) {
  test(`a ${mode} is stopped when the gate no longer permits it, and does not continue by itself`, async () => {
    const harness = await CartHarness.ready();
    const command = harness.move(mode === 'jog' ? 300 : 3000, 0, mode === 'jog' ? JOG : {});
    await harness.run(300);
    assert.ok(harness.controller.snapshot().speed > 100);
    harness.gate = REFUSED;
    await harness.run(100);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'REJECTED']);
    harness.gate = openGate();
    await harness.run(2000);
    assert.equal(harness.controller.snapshot().speed, 0);
    assert.equal(harness.controller.snapshot().motions, 1);
    await harness.close();
  });
}

test('slows a running motion to the limits of the gate, and restores the full speed for the next one', async () => {
  const harness = await CartHarness.ready();
  const limits = { speedMmps: 120, turnDegps: 20 };
  const command = harness.move(2000);
  await harness.run(1500);
  assert.equal(harness.controller.snapshot().speed, 300);
  harness.gate = openGate({ check: () => ({ refusal: undefined, limits }) });
  await harness.run(1000);
  assert.equal(harness.controller.snapshot().speed, 120);
  harness.gate = openGate();
  while (!command.final) await harness.run(50);
  assert.equal(command.state, 'FINISHED');
  await harness.run(500);
  harness.move(2000);
  await harness.run(1500);
  assert.equal(harness.controller.snapshot().speed, 300);
  await harness.close();
});

/** Limits driving forwards faster than 100 mm/s, for example towards a zone, to 120 mm/s. */
const TOWARDS_ZONE = openGate({
  check: ({ order }) => ({
    refusal: undefined,
    limits: order.distanceMm > 100 ? { ...UNLIMITED, speedMmps: 120 } : UNLIMITED,
  }),
});

for (const [title, next] of [
  ['more slowly', 80],
  ['backwards', -300],
] as const) {
  test(`a jog that is renewed ${title} keeps its lower limits while the controller may miss the renewal`, async () => {
    const harness = await CartHarness.ready();
    harness.gate = TOWARDS_ZONE;
    const before = framesOf(harness, 'LIMITS').length;
    const jog = harness.move(300, 0, JOG);
    await harness.run(300);
    harness.move(300, 0, JOG);
    harness.wire.missed = 'JOG';
    for (let n = 0; n < 4; n++) {
      harness.move(next, 0, JOG);
      await harness.run(100);
      assert.equal(harness.controller.snapshot().speed, 120);
    }
    harness.wire.missed = undefined;
    for (let n = 0; n < 10; n++) {
      harness.move(next, 0, JOG);
      await harness.run(100);
      assert.ok(harness.controller.snapshot().speed <= 120);
    }
    assert.equal(harness.controller.snapshot().speed, next);
    assert.ok(!jog.final);
    const speeds = framesOf(harness, 'LIMITS').map(({ maxSpeedMmps }) => maxSpeedMmps);
    assert.deepEqual(speeds.slice(before), [120, 300]);
    await harness.close();
  });
}

test('a jog keeps its lower limits however often it is renewed while the controller may miss the renewals', async () => {
  const harness = await CartHarness.ready();
  harness.gate = TOWARDS_ZONE;
  const before = framesOf(harness, 'LIMITS').length;
  const jog = harness.move(300, 0, JOG);
  await harness.run(300);
  harness.move(300, 0, JOG);
  harness.wire.missed = 'JOG';
  for (const next of [80, 70, 60, 50, 40, 30, 20]) {
    harness.move(next, 0, JOG);
    await harness.run(50);
    assert.equal(harness.controller.snapshot().speed, 120, `${next} mm/s`);
  }
  harness.wire.missed = undefined;
  for (let n = 0; n < 10; n++) {
    harness.move(80, 0, JOG);
    await harness.run(100);
  }
  assert.equal(harness.controller.snapshot().speed, 80);
  assert.ok(!jog.final);
  const speeds = framesOf(harness, 'LIMITS').map(({ maxSpeedMmps }) => maxSpeedMmps);
  assert.deepEqual(speeds.slice(before), [120, 300]);
  await harness.close();
});

test('a jog does not move while the controller may follow earlier speeds that have become forbidden', async () => {
  const harness = await CartHarness.ready();
  const jog = harness.move(300, 0, JOG);
  await harness.run(100);
  harness.wire.missed = 'JOG';
  harness.move(-300, 0, JOG);
  harness.gate = openGate({
    check: (motion) => (motion.order.distanceMm > 0 ? REFUSED : openGate()).check(motion),
  });
  for (let n = 0; n < 6; n++) {
    await harness.run(50);
    harness.move(-300, 0, JOG);
  }
  const { speed } = harness.controller.snapshot();
  assert.ok(Math.abs(speed) <= 1, `${speed} mm/s`);
  harness.wire.missed = undefined;
  for (let n = 0; n < 10; n++) {
    harness.move(-300, 0, JOG);
    await harness.run(100);
  }
  assert.ok(!jog.final);
  assert.equal(harness.controller.snapshot().speed, -300);
  await harness.close();
});

/** Starts a move whose limit falls by 5 mm/s every 50 ms; responses of the controller take `delayMs`. */
async function slowDown(delayMs: number) {
  const harness = await CartHarness.ready();
  const { clock, wire } = harness;
  wire.deliver = (response) => void clock.after(delayMs, response);
  const command = harness.move(600);
  await harness.run(1000);
  const [startMs, before] = [clock.now(), framesOf(harness, 'LIMITS').length];
  harness.gate = openGate({
    check: () => ({
      refusal: undefined,
      limits: { ...UNLIMITED, speedMmps: Math.max(50, 300 - (clock.now() - startMs) / 10) },
    }),
  });
  let stoppedMs: number | undefined;
  while (!command.final) await harness.run(50);
  if (command.state === 'FAILED') stoppedMs = clock.now() - startMs;
  const sent = framesOf(harness, 'LIMITS').slice(before);
  await harness.run(2000);
  await harness.close();
  const speeds = sent.map(({ maxSpeedMmps }) => maxSpeedMmps).filter((speed) => speed < 300);
  return { command, speeds, stoppedMs };
}

test('slows down continuously on a line whose round trip is longer than the interval of the limits', async () => {
  const { command, speeds } = await slowDown(150);
  assert.deepEqual([command.state, command.reason], ['FINISHED', undefined]);
  assert.ok(speeds.length > 15, `${speeds.length} limits`);
  assert.deepEqual(
    speeds,
    speeds.toSorted((a, b) => b - a),
    'earlier limits are not repeated',
  );
});

test('stops if falling limits are acknowledged too late', async () => {
  const { command, stoppedMs } = await slowDown(230);
  assert.equal(command.reason?.code, 'SERIAL_ACK_TIMEOUT');
  assert.ok(stoppedMs !== undefined && stoppedMs <= 300, `${stoppedMs} ms`);
});

test('stops if the controller acknowledges only limits that are no longer low enough', async () => {
  const clock = new FakeClock();
  const acknowledge: (() => void)[] = [];
  const driver = { limitSpeed: () => new Promise<void>((resolve) => acknowledge.push(resolve)) };
  const stops: number[] = [];
  const limits = new LiveLimits({
    link: { driver },
    maxSpeedMmps: () => 100,
    notSlowed: () => void stops.push(clock.now()),
    clock,
  });
  const apply = async (speedMmps: number): Promise<void> => {
    limits.apply(1, { ...UNLIMITED, speedMmps });
    await settle();
    clock.advance(50);
  };
  await apply(80);
  await apply(50);
  const neededMs = clock.now() - 50;
  // The first limits have been acknowledged, and the controller may still use them.
  acknowledge[0]?.();
  for (let n = 0; n < 3; n++) await apply(50);
  assert.deepEqual(stops, []);
  await apply(50);
  assert.deepEqual(stops, [neededMs + 200]);
  // A later acknowledgement confirms the earlier limits, too.
  acknowledge[1]?.();
  await settle();
  await apply(40);
  await apply(30);
  acknowledge[3]?.();
  for (let n = 0; n < 10; n++) await apply(30);
  assert.equal(stops.length, 1);
});

test('applies the lower of the limits of the gate and the protective field', async () => {
  const harness = await CartHarness.ready(undefined, { protectiveField: true });
  const before = framesOf(harness, 'LIMITS').length;
  harness.gate = openGate({
    check: () => ({ refusal: undefined, limits: { speedMmps: 200, turnDegps: Number.POSITIVE_INFINITY } }),
  });
  harness.controller.setWalls([{ x1: 1500, y1: -500, x2: 1500, y2: 500 }]);
  const command = harness.move(1200);
  while (!command.final) {
    await harness.run(50);
    assert.ok(harness.controller.snapshot().speed <= 200);
  }
  await harness.run(1000);
  const speeds = framesOf(harness, 'LIMITS').map(({ maxSpeedMmps }) => maxSpeedMmps);
  assert.equal(speeds[before], 200, 'before the motion');
  assert.ok(speeds.includes(60), String(speeds));
  assert.equal(speeds.at(-1), 300, 'after the motion');
  await harness.close();
});

test("a zone that may slow a move down increases the controller's time limit", async () => {
  const durations: number[] = [];
  for (const speedMmps of [Number.POSITIVE_INFINITY, 100]) {
    const harness = await CartHarness.ready();
    harness.gate = openGate({ slowest: { ...UNLIMITED, speedMmps } });
    harness.move(1000);
    durations.push(...framesOf(harness, 'MOVE').map(({ maxDurationDs }) => maxDurationDs));
    await harness.close();
  }
  // In units of 0.1 s: 1.5 × 3.9 s + 2 s, and 1.5 × 10.2 s + 2 s.
  assert.deepEqual(durations, [79, 173]);
});

test('settings that are saved while the cart starts to move do not change the limits of the motion', async () => {
  const harness = await CartHarness.ready();
  const before = framesOf(harness, 'LIMITS').length;
  const limits: unknown[] = [];
  harness.gate = openGate({
    check(motion) {
      limits.push(motion.limits);
      return { refusal: undefined, limits: { ...UNLIMITED, speedMmps: 100 } };
    },
  });
  const { limits: earlier } = harness.settings;
  harness.settings = { ...harness.settings, limits: { ...earlier, maxSpeedMmps: 150, decelMmps2: 2000 } };
  harness.move(200);
  await harness.run(1000);
  assert.deepEqual(
    framesOf(harness, 'LIMITS')
      .slice(before)
      .map(({ maxSpeedMmps }) => maxSpeedMmps),
    [100],
  );
  for (const received of limits) assert.equal(received, earlier);
  await harness.close();
});

function framesOf<Type extends 'LIMITS' | 'MOVE'>({ wire }: CartHarness, type: Type): FrameOf<Type>[] {
  return wire.of(type) as FrameOf<Type>[];
}

/**
 * The calls that lead to a motion, each with the files that contain it. A new source of motions must use one of these
 * files, or be added here with a test that it passes the gate.
 */
const CALLS: [call: RegExp, files: string[]][] = [
  // This file asks the gate before each of these calls.
  [/driver\?*\.(?:move|jog)\(/, ['carts/control/command-executor.ts']],
  [/executor\.(?:execute|renewJog)\(/, ['carts/control/cart.ts']],
  [/cart\.(?:execute|renewJog)\(/, ['carts/command/dispatcher.ts']],
  [
    /dispatcher\.(?:accept|submit)\(/,
    [
      'app/composition/approach.ts',
      'carts/http/command-routes.ts',
      'carts/manual-drive/jog.ts',
      'carts/mqtt/command-message-handler.ts',
    ],
  ],
];

test('every source of motions passes the gate', () => {
  const root = join(packageRoot(), 'src');
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const texts = names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
  for (const [call, files] of CALLS) {
    const found = texts.filter(({ text }) => call.test(text)).map(({ name }) => name);
    assert.deepEqual(found.toSorted(), files, String(call));
  }
});

test.run();

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { LiveLimits, UNLIMITED } from '../../../../src/carts/control/live-limits.js';
import { RemoteCart } from '../../../../src/carts/fleet/remote-cart.js';
import { checkState } from '../../../../src/carts/mqtt/messages/read.js';
import { stateBody } from '../../../../src/carts/mqtt/messages/state.js';
import { Headers } from '../../../../src/carts/mqtt/messages/topics.js';
import type { FieldPort, FieldReport } from '../../../../src/carts/protective-field/model.js';
import { ProtectiveField } from '../../../../src/carts/protective-field/protective-field.js';
import { Deframer, type FrameOf } from '../../../../src/carts/serial/codec/codec.js';
import { defaultSettings, type Settings } from '../../../../src/settings/schema/schema.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import type { Wall } from '../../../../src/simulator/field/plan.js';
import { CartHarness, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { hasCode } from '../../../helpers/has-code.js';
import { identityOf } from '../mqtt/test-fleet.js';

/** The front of the cart is at x = 300. */
const wallAt = (x: number): Wall => ({ x1: x, y1: -3000, x2: x, y2: 3000 });

async function ready(walls: Wall[] = [], change?: (settings: Settings) => void): Promise<CartHarness> {
  const harness = new CartHarness(change, { protectiveField: true });
  harness.controller.setWalls(walls);
  await harness.cart.start();
  await harness.run(1500);
  return harness;
}

function limitsSent({ wire }: CartHarness): FrameOf<'LIMITS'>[] {
  return wire.of('LIMITS') as FrameOf<'LIMITS'>[];
}

test('reads the sensors and sets the field when a session starts, and shows the ranges', async () => {
  const harness = await ready([wallAt(1000)]);
  const opening = harness.wire.sent.filter(({ type }) => type !== 'HEARTBEAT').map(({ type }) => type);
  assert.deepEqual(opening.slice(0, 4), ['HELLO', 'LIMITS', 'SENSORS', 'FIELD']);
  const { field } = harness.dispatcher.ownCart();
  assert.equal(field?.sensors.length, 7);
  assert.ok(Math.abs((field.sensors[0]?.rangeMm ?? 0) - 700) < 50);
  assert.deepEqual(field.sensors[3]?.rangeMm, null);
  assert.deepEqual({ ...field, sensors: [] }, { sensors: [], bumpers: [], blocked: [], ageS: 0 });
  await harness.close();
});

test('does not show a protective field if the controller does not have one', async () => {
  const harness = await CartHarness.ready();
  assert.equal(harness.dispatcher.ownCart().field, undefined);
  await harness.close();
});

// Fault case 44
test('slows the cart down near an obstacle, and reports the obstacle that stopped the cart', async () => {
  const harness = await ready([wallAt(2500)]);
  const command = harness.move(5000);
  const speeds = new Map<number, number>();
  while (!command.final) {
    await harness.run(50);
    const { x, speed } = harness.controller.snapshot();
    speeds.set(Math.round((2200 - x) / 100) * 100, speed);
  }
  assert.equal(command.reason?.code, 'OBSTACLE');
  assert.match(textOf(command.reason?.text ?? ''), /^obstacle (9\d|1[0-3]\d) mm ahead$/);
  assert.equal(speeds.get(1500), 300, 'full speed far away');
  const [near = 0, nearer = 0] = [speeds.get(700), speeds.get(400)];
  assert.ok(near < 260 && near > 180, `${near} mm/s at 0.7 m`);
  assert.ok(nearer < 160 && nearer > 60, `${nearer} mm/s at 0.4 m`);
  assert.equal(harness.controller.snapshot().contacts, 0);
  await harness.run(1000);
  assert.equal(
    limitsSent(harness).at(-1)?.maxSpeedMmps,
    300,
    'the limit is restored when the cart is stationary',
  );
  assert.ok(harness.dispatcher.ownCart().field?.blocked.includes('forward'));
  await harness.close();
});

test('does not slow down if slowDownMm is 0 or the obstacle is behind the cart', async () => {
  const off = await ready([wallAt(2500)], ({ protectiveField }) => {
    protectiveField.slowDownMm = 0;
  });
  const away = await ready([wallAt(-700)]);
  for (const harness of [off, away]) {
    const command = harness.move(1700);
    await harness.run(7500);
    assert.equal(limitsSent(harness).length, 1);
    assert.equal(command.state, 'FINISHED');
    await harness.close();
  }
});

test('stops the cart at the stop distance in the settings', async () => {
  const harness = await ready([wallAt(2500)], ({ protectiveField }) => {
    protectiveField.marginMm = 600;
  });
  const command = harness.move(5000);
  await harness.run(20_000);
  assert.equal(command.reason?.code, 'OBSTACLE');
  const gap = 2200 - harness.controller.snapshot().x;
  assert.ok(gap > 550 && gap < 680, `${gap} mm`);
  await harness.close();
});

test('rejects a command in a blocked direction, and accepts a command away from the obstacle', async () => {
  const harness = await ready([wallAt(380)]);
  assert.throws(() => harness.move(500), hasCode('OBSTACLE'));
  assert.throws(() => harness.move(500), /obstacle \d+ mm ahead/);
  assert.throws(() => harness.move(0, 90), hasCode('OBSTACLE'));
  assert.throws(() => harness.move(100, 0, { mode: 'jog' }), hasCode('OBSTACLE'));
  assert.equal(harness.wire.of('MOVE').length + harness.wire.of('JOG').length, 0);
  const command = harness.move(-300);
  await harness.run(4000);
  assert.equal(command.state, 'FINISHED');
  assert.equal(harness.move(100).state, 'SENT');
  await harness.close();
});

test('a bumper press cancels the queued command, and afterwards the cart can only drive away', async () => {
  const harness = await ready([wallAt(700)]);
  harness.move(230);
  const second = harness.move(2000, 0, { onBusy: 'queue' });
  await harness.run(200);
  harness.controller.fault('bumper', true, 2);
  await harness.run(5000);
  assert.equal(second.state, 'CANCELLED');
  const third = harness.move(-200);
  await harness.run(3000);
  assert.equal(third.state, 'FINISHED');
  assert.throws(() => harness.move(200), /a front bumper is pressed/);
  await harness.close();
});

test('slows manual driving near an obstacle, and rejects it when the operator steers in a blocked direction', async () => {
  const harness = await ready([wallAt(1100)]);
  const jog = harness.move(300, 0, { mode: 'jog' });
  let atHalfMetre = 0;
  while (!harness.dispatcher.ownCart().field?.blocked.includes('forward')) {
    await harness.run(50);
    const { x, speed } = harness.controller.snapshot();
    if (x > 250 && atHalfMetre === 0) atHalfMetre = speed;
    if (!harness.dispatcher.ownCart().field?.blocked.includes('forward')) {
      assert.equal(harness.move(300, 0, { mode: 'jog' }), jog);
    }
  }
  assert.throws(() => harness.move(300, 0, { mode: 'jog' }), hasCode('OBSTACLE'));
  await harness.run(200);
  assert.equal(jog.reason?.code, 'OBSTACLE');
  assert.ok(atHalfMetre > 0 && atHalfMetre < 200, `${atHalfMetre} mm/s`);
  await harness.run(1000);
  const back = harness.move(-200, 0, { mode: 'jog' });
  await harness.run(200);
  assert.equal(back.state, 'RUNNING');
  assert.throws(() => harness.move(200, 0, { mode: 'jog' }), hasCode('OBSTACLE'));
  assert.equal(harness.controller.snapshot().contacts, 0);
  await harness.close();
});

test('reports a silent sensor, and rejects motion until the sensor responds', async () => {
  const harness = await ready();
  const command = harness.move(5000);
  await harness.run(1000);
  harness.controller.fault('sensorSilent', true, 2);
  await harness.run(2000);
  assert.equal(command.state, 'FAILED');
  assert.match(textOf(command.reason?.text ?? ''), /a distance sensor does not respond/);
  assert.throws(() => harness.move(-100), /a distance sensor does not respond/);
  harness.controller.fault('sensorSilent', false);
  await harness.run(1000);
  assert.equal(harness.move(-100).state, 'SENT');
  await harness.close();
});

test('drives slowly and marks the field as stale while no RANGES frames arrive', async () => {
  const harness = await ready();
  harness.wire.lost = 'RANGES';
  await harness.run(1200);
  assert.equal(harness.dispatcher.ownCart().field?.ageS, 1);
  const command = harness.move(300);
  await harness.run(3000);
  assert.equal(limitsSent(harness).at(-1)?.maxSpeedMmps, 60);
  assert.equal(limitsSent(harness).at(-1)?.omegaMaxDdegps, 180);
  harness.wire.lost = undefined;
  await harness.run(4000);
  assert.equal(command.state, 'FINISHED');
  assert.equal(harness.dispatcher.ownCart().field?.ageS, 0);
  await harness.close();
});

test('publishes the protective field over MQTT, and reports a field violation while a direction is blocked', async () => {
  const harness = await ready([wallAt(380)]);
  const view = harness.dispatcher.ownCart();
  const body = stateBody({ view, commands: [], actions: [], refused: [] });
  const header = new Headers(identityOf(1)).next('state', harness.clock.wallTime());
  const checked = checkState(JSON.parse(JSON.stringify({ ...header, ...body })));
  assert.ok('value' in checked);
  assert.deepEqual((body as { safetyState?: unknown }).safetyState, {
    activeEmergencyStop: 'NONE',
    fieldViolation: true,
  });
  const remote = new RemoteCart(1, harness.clock);
  remote.onState(checked.value);
  assert.deepEqual(remote.view('', '').field, view.field);
  await harness.close();
});

test('starts a move away from an obstacle at full speed, even if the last telemetry is from the approach', () => {
  const sensors = [0, 180].map((angleDeg) => ({
    angleDeg,
    fieldOfViewDeg: 27,
    maxRangeMm: 3000,
    rangeMm: angleDeg === 0 ? 110 : null,
    valid: true,
  }));
  const latest: FieldReport = { sensors, bumpers: [], blocked: ['forward'], atMs: 1_000_000 };
  const port: FieldPort = {
    latest,
    onReport: () => () => undefined,
  };
  const settings = defaultSettings();
  const field = new ProtectiveField({
    link: { driver: { field: port } },
    settings: () => settings,
    order: () => ({ kind: 'move', distanceMm: -300, angleDdeg: 0 }),
    telemetry: () => ({ speedMmps: 60, omegaDdegps: 0 }),
    clock: new FakeClock(),
  });
  assert.equal(field.speedShare('start'), 1);
  assert.equal(field.speedShare(), 0.2);
});

test('slows a turn in place down earlier if a corner of the cart is farther out than the wheels', () => {
  const shareOf = (footprint: Settings['kinematics']['footprint'], angleDdeg: number) => {
    const sensors = [{ angleDeg: 0, fieldOfViewDeg: 27, maxRangeMm: 3000, rangeMm: 500, valid: true }];
    const latest: FieldReport = { sensors, bumpers: [], blocked: [], atMs: 1_000_000 };
    const settings = defaultSettings();
    settings.kinematics.footprint = footprint;
    const field = new ProtectiveField({
      link: { driver: { field: { latest, onReport: () => () => undefined } } },
      settings: () => settings,
      order: () => ({ kind: 'move', distanceMm: 300, angleDdeg }),
      telemetry: () => undefined,
      clock: new FakeClock(),
    });
    return field.speedShare('start');
  };
  const long = [
    { xMm: 800, yMm: 200 },
    { xMm: -200, yMm: 200 },
    { xMm: -200, yMm: -200 },
    { xMm: 800, yMm: -200 },
  ];
  assert.ok(shareOf(long, 900) < shareOf([], 900) - 0.05, `${shareOf(long, 900)} and ${shareOf([], 900)}`);
  assert.equal(shareOf(long, 0), shareOf([], 0), 'straight ahead');
});

/** Loses LIMITS frames on the way to the controller while `isLost` returns true; returns those that arrive. */
function loseLimits({ controller }: CartHarness, isLost: () => boolean): FrameOf<'LIMITS'>[] {
  const arrived: FrameOf<'LIMITS'>[] = [];
  const receive = controller.receive.bind(controller);
  controller.receive = (bytes) => {
    let limits: FrameOf<'LIMITS'> | undefined;
    new Deframer((frame) => {
      if (frame.type === 'LIMITS') limits = frame;
    }).push(bytes);
    if (limits && isLost()) return;
    if (limits) arrived.push(limits);
    receive(bytes);
  };
  return arrived;
}

// Fault case 65
test('repeats a slow-down that is lost, without stopping the cart', async () => {
  const harness = await ready([wallAt(2500)]);
  let lost = 0;
  const arrived = loseLimits(harness, () => ++lost <= 2);
  const command = harness.move(5000);
  while (!command.final) await harness.run(50);
  assert.equal(command.reason?.code, 'OBSTACLE');
  assert.ok(lost > 2 && arrived.some(({ maxSpeedMmps }) => maxSpeedMmps === 60), JSON.stringify(arrived));
  await harness.close();
});

// Fault case 65
test('stops the cart 200 ms after a slow-down that the controller does not acknowledge', async () => {
  for (const mode of ['move', 'jog'] as const) {
    const harness = await ready([wallAt(2500)]);
    let firstMs = Number.POSITIVE_INFINITY;
    let isLost = true;
    const arrived = loseLimits(harness, () => {
      firstMs = Math.min(firstMs, harness.clock.now());
      return isLost;
    });
    const drive = () => harness.move(mode === 'jog' ? 300 : 5000, 0, { mode });
    const command = drive();
    for (let n = 0; n < 400 && harness.controller.snapshot().state !== 'STOPPING'; n++) {
      await harness.run(50);
      if (mode === 'jog' && !command.final && command.reason === undefined) drive();
    }
    assert.ok(harness.clock.now() - firstMs <= 300, `${harness.clock.now() - firstMs} ms`);
    await harness.run(2000);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_ACK_TIMEOUT'], mode);
    const { speed, x, contacts } = harness.controller.snapshot();
    assert.deepEqual([speed, contacts], [0, 0]);
    assert.ok(2200 - x > 500, `${2200 - x} mm`);
    isLost = false;
    await harness.run(500);
    assert.equal(arrived.at(-1)?.maxSpeedMmps, 300, 'the limit is sent until it is acknowledged');
    await harness.close();
  }
});

// Fault case 65
test('stops the cart if the acknowledgements of a restored limit and of the next slow-down are lost', async () => {
  const clock = new FakeClock();
  clock.advance(10_000);
  const driver = { limitSpeed: (): Promise<void> => Promise.resolve() };
  const stops: string[] = [];
  const limits = new LiveLimits({
    link: { driver },
    maxSpeedMmps: () => 300,
    notSlowed: ({ code }) => void stops.push(code),
    clock,
  });
  const update = async (share: number): Promise<void> => {
    limits.apply(share, UNLIMITED);
    await settle();
    clock.advance(50);
  };
  for (let n = 0; n < 10; n++) await update(0.2);
  assert.deepEqual(stops, []);
  driver.limitSpeed = () => Promise.reject(new Error('no acknowledgement'));
  await update(1);
  for (let n = 0; n < 5; n++) await update(0.2);
  assert.deepEqual(stops, ['SERIAL_ACK_TIMEOUT']);
});

test("increases the controller's time limit of a motion whose speed the field may reduce", async () => {
  const [plain, slowed] = [await CartHarness.ready(), await ready()];
  const durations: number[] = [];
  for (const harness of [plain, slowed]) {
    harness.move(3000);
    await harness.run(50);
    durations.push((harness.wire.of('MOVE')[0] as FrameOf<'MOVE'>).maxDurationDs);
    await harness.close();
  }
  // In units of 0.1 s: 1.5 × 10.6 s + 2 s, and 1.5 × 50.1 s + 2 s.
  assert.deepEqual(durations, [179, 772]);
});

test.run();

import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { DriverDeps } from '../../../../../src/carts/serial/driver.js';
import { createDriver } from '../../../../../src/carts/serial/drivers/create-driver.js';
import { OpenLoopMotion } from '../../../../../src/carts/serial/open-loop/motion.js';
import { type MotionPlan, planMotion } from '../../../../../src/carts/serial/open-loop/motion-plan.js';
import { type Steps, Wheels } from '../../../../../src/carts/serial/open-loop/wheels.js';
import { defaultSettings } from '../../../../../src/settings/schema/schema.js';
import { brakingSpeed, trapezoid } from '../../../../../src/shared/motion-profile.js';
import type { ByteLink } from '../../../../../src/shared/ports/serial.js';
import { quietLog, settle } from '../../../../helpers/cart-harness.js';
import { FakeClock } from '../../../../helpers/fake-clock.js';
import { decodeSabertooth } from '../board-decoders.js';
import { ModelBoard } from '../model-board.js';

const LIMITS = { max: 300, accel: 500, decel: 250 };

test('plans a trapezoidal profile with acceleration, cruise and deceleration', () => {
  const { durationMs, at } = trapezoid(-1000, LIMITS);
  // 0.6 s of acceleration (90 mm), 1.2 s of deceleration (180 mm) and 730 mm at 300 mm/s.
  assert.ok(Math.abs(durationMs - (600 + 1200 + 730 / 0.3)) < 1e-6);
  assert.deepEqual([at(-1), at(0), at(1e9)].map(Math.abs), [0, 0, 1000]);
  assert.ok(Math.abs(at(600) + 90) < 1e-6);
  assert.ok(Math.abs(at(durationMs - 1200) + 820) < 1e-6);
  for (let ms = 0; ms < durationMs; ms += 7) {
    const speed = (at(ms) - at(ms + 1)) * 1000;
    assert.ok(speed >= 0 && speed <= 300.001, `${speed} mm/s at ${ms} ms`);
  }
});

test('plans a triangular profile for a short distance, and a duration of 0 for a distance of 0', () => {
  const { durationMs, at } = trapezoid(30, LIMITS);
  const peak = Math.sqrt((2 * 30 * 500 * 250) / 750);
  assert.ok(Math.abs(durationMs - (peak / 500 + peak / 250) * 1000) < 1e-6);
  assert.equal(at(durationMs), 30);
  assert.equal(trapezoid(0, LIMITS).durationMs, 0);
});

test('brakes from any distance in steps of the deceleration, without overshooting', () => {
  const [decel, stepS] = [500, 0.05];
  for (const distance of [0.5, 12, 90, 400]) {
    let left = distance;
    let previous = brakingSpeed(left, decel, stepS);
    while (left > 1e-6) {
      const speed = Math.min(brakingSpeed(left, decel, stepS), left / stepS);
      // The last step covers the rest of the distance, so its speed is up to an eighth of a step lower.
      assert.ok(previous - speed <= decel * stepS * 1.125 + 1e-6, `${previous} to ${speed} mm/s`);
      previous = speed;
      left -= speed * stepS;
    }
    assert.ok(left > -1e-6, `${left} mm`);
  }
});

/** Returns a motion on a board that integrates the speeds it receives. */
function harness({ full = 1000, accel = 500 } = {}) {
  const clock = new FakeClock();
  const { kinematics, limits } = defaultSettings();
  kinematics.openLoopMmpsAtFull = full;
  limits.accelMmps2 = accel;
  limits.maxSpeedMmps = 300;
  const watchdogMs = 500;
  const wheels = new Wheels(kinematics, limits);
  const ends: string[] = [];
  const sent: Steps[] = [];
  let [wayMm, sinceMs, mmps] = [0, clock.now(), 0];
  const integrate = (): void => {
    wayMm += (mmps * (clock.now() - sinceMs)) / 1000;
    sinceMs = clock.now();
    mmps = 0;
  };
  const motion = new OpenLoopMotion({
    clock,
    wheels,
    watchdogMs,
    set: (steps) => {
      integrate();
      sent.push(steps);
      mmps = (steps.ahead / 127) * kinematics.openLoopMmpsAtFull;
    },
    onEnd: (end) => {
      integrate();
      ends.push(end);
    },
  });
  const plan: MotionPlan = { goal: { mm: 1000, ddeg: 0 }, maxSpeedMmps: 300 };
  return { clock, motion, plan, ends, sent, travelled: () => wayMm };
}

test('compensates for the rounding of speeds to 127 steps', () => {
  const { clock, motion, plan, ends, sent, travelled } = harness();
  motion.start(plan);
  clock.advance(10_000);
  assert.deepEqual(ends, ['finished']);
  assert.ok(Math.abs(travelled() - 1000) < 1, `${travelled()} mm`);
  assert.ok(Math.abs(motion.travel.mm - travelled()) < 1e-6, 'the estimate matches the sent speeds');
  assert.ok(sent.every(({ ahead, left }) => Number.isInteger(ahead) && ahead >= 0 && left === 0));
  assert.equal(clock.timers, 0);
});

test('a motion covers the same distance when timers fire late', () => {
  const { clock, motion, plan, ends, travelled } = harness();
  motion.start(plan);
  for (const lateMs of [130, 20, 180, 70, 240]) {
    clock.advance(500);
    clock.stall(lateMs);
  }
  clock.advance(10_000);
  assert.deepEqual(ends, ['finished']);
  assert.ok(Math.abs(travelled() - 1000) < 5, `${travelled()} mm`);
});

for (const [full, accel, lateMs] of [
  [1000, 500, 250],
  [1000, 500, 449],
  [3000, 2000, 250],
  [1000, 5000, 400],
] as const) {
  // Fault case 55
  test(`never exceeds the commanded speed when a timer is ${lateMs} ms late at ${full} mm/s and ${accel} mm/s²`, () => {
    const { clock, motion, plan, ends, sent, travelled } = harness({ full, accel });
    motion.start(plan);
    for (let late = 0; late < 5; late++) {
      clock.advance(60);
      clock.stall(lateMs);
    }
    clock.advance(30_000);
    const step = full / 127;
    const speeds = sent.map(({ ahead }) => ahead * step);
    assert.ok(Math.max(...speeds) <= 300, `${Math.max(...speeds)} mm/s`);
    const rise = Math.max(...speeds.map((speed, at) => speed - (speeds[at - 1] ?? 0)));
    assert.ok(rise <= accel * 0.05 + step, `${rise} mm/s in one step`);
    assert.deepEqual(ends, ['finished']);
    assert.ok(Math.abs(travelled() - 1000) <= step * 0.05, `${travelled()} mm`);
  });
}

test('does not drive too far when a timer is late while the cart brakes', () => {
  const { clock, motion, plan, ends, travelled } = harness();
  motion.start(plan);
  // After 600 ms of acceleration and 2730 ms at 300 mm/s, the cart has 90 mm left for braking.
  clock.advance(3400);
  clock.stall(150);
  clock.advance(5000);
  assert.deepEqual(ends, ['finished']);
  assert.ok(Math.abs(travelled() - 1000) < 1, `${travelled()} mm`);
});

test("brakes from the board's actual speed when the planned speed is higher", () => {
  const { clock, motion, sent } = harness();
  motion.jog({ mmps: 200, ddegps: 0 }, 5000);
  clock.advance(1000);
  sent.length = 0;
  motion.brake('cancelled');
  // 25 steps are 196.9 mm/s; one step of deceleration later, 171.9 mm/s are 21.8 steps.
  assert.equal(sent[0]?.ahead, 21);
});

test('a late timer during a stop does not delay the end of the stop', () => {
  const { clock, motion, ends } = harness();
  motion.jog({ mmps: 300, ddegps: 0 }, 5000);
  clock.advance(2000);
  motion.brake('cancelled');
  clock.advance(60);
  clock.stall(400);
  clock.advance(200);
  assert.deepEqual(ends, ['cancelled']);
});

test('a jog that reverses after a late timer passes through standstill', () => {
  const { clock, motion, sent } = harness();
  motion.jog({ mmps: 100, ddegps: 0 }, 60_000);
  clock.advance(1000);
  motion.jog({ mmps: -300, ddegps: 0 }, 60_000);
  sent.length = 0;
  clock.stall(400);
  clock.advance(200);
  const aheads = sent.map(({ ahead }) => ahead);
  assert.equal(aheads[0], 0);
  // 25 mm/s per step of acceleration
  assert.deepEqual(aheads.slice(1, 3), [-3, -6]);
});

test("a jog does not exceed the cart's speed limit", () => {
  const { clock, motion, sent } = harness();
  motion.jog({ mmps: 500, ddegps: 0 }, 60_000);
  clock.advance(5000);
  const fastest = Math.max(...sent.map(({ ahead }) => (ahead * 1000) / 127));
  assert.ok(fastest <= 300 && fastest > 290, `${fastest} mm/s`);
});

test('a motion whose timers are all late ends and never exceeds the commanded speed', () => {
  const { clock, motion, plan, ends, sent } = harness();
  motion.start(plan);
  for (let step = 0; step < 100 && ends.length === 0; step++) {
    clock.stall(200);
    clock.advance(0);
  }
  assert.deepEqual(ends, ['finished']);
  assert.ok(sent.every(({ ahead }) => ahead <= 38));
});

test('covers a distance that is shorter than a single step at the lowest speed', () => {
  for (const mm of [1, 2, 5]) {
    const { clock, motion, ends, travelled } = harness({ full: 3000, accel: 100 });
    motion.start({ goal: { mm, ddeg: 0 }, maxSpeedMmps: 300 });
    clock.advance(5000);
    assert.deepEqual(ends, ['finished']);
    assert.ok(Math.abs(travelled() - mm) <= 0.6, `${travelled()} of ${mm} mm`);
  }
});

test('rejects a motion if the board cannot drive or turn slowly enough', () => {
  const { limits, kinematics } = defaultSettings();
  const request = {
    wireId: 1,
    raw: { distanceID: 0, angleID: 0 },
    maxDurationMs: 60_000,
    remainingTtlMs: () => 1000,
  };
  const fast = new Wheels({ ...kinematics, openLoopMmpsAtFull: 10_000, trackMm: 50 }, limits);
  const drive = { ...request, distanceMm: 100, angleDdeg: 0 };
  // One speed step is 78.7 mm/s.
  assert.throws(() => planMotion({ ...drive, maxSpeedMmps: 78 }, fast), {
    code: 'CONTROLLER_RANGE',
  });
  assert.deepEqual(planMotion({ ...drive, maxSpeedMmps: 79 }, fast).goal, { mm: 100, ddeg: 0 });
  const turn = { ...request, distanceMm: 0, angleDdeg: 900, maxSpeedMmps: 300 };
  assert.throws(() => planMotion(turn, fast), { code: 'CONTROLLER_RANGE' });
});

test("ends the motion if the process is suspended for longer than the board's watchdog timeout", () => {
  const { clock, motion, plan, ends } = harness();
  motion.start(plan);
  clock.advance(1500);
  const { mm } = motion.travel;
  clock.stall(3000);
  clock.advance(50);
  assert.deepEqual(ends, ['late']);
  // Travel is counted only until the board's watchdog stops the motors, not for the whole suspension.
  assert.ok(motion.travel.mm - mm <= 160, `${motion.travel.mm - mm} mm`);
  assert.equal(motion.phase, 'idle');
});

test('brakes within the ramp time in every phase of the motion', () => {
  const { clock, motion, plan, ends, sent } = harness();
  motion.start(plan);
  clock.advance(1500);
  sent.length = 0;
  motion.brake('cancelled');
  assert.equal(motion.phase, 'stopping');
  const first = sent[0]?.ahead ?? 127;
  assert.ok(first > 30 && first < 38, 'the first step is immediate and above zero');
  // Braking from 300 mm/s at 500 mm/s² takes 600 ms.
  clock.advance(500);
  assert.deepEqual(ends, []);
  clock.advance(150);
  assert.deepEqual(ends, ['cancelled']);
  const falls = sent.every(({ ahead }, at) => at === 0 || ahead <= (sent[at - 1]?.ahead ?? 0));
  assert.ok(falls);
});

test('ends a jog when its lease expires, unless the lease is renewed', () => {
  const { clock, motion, ends, sent } = harness();
  motion.jog({ mmps: 200, ddegps: 0 }, 500);
  clock.advance(400);
  motion.jog({ mmps: 200, ddegps: 0 }, 500);
  clock.advance(450);
  assert.equal(motion.phase, 'running');
  assert.equal(sent.at(-1)?.ahead, 25);
  clock.advance(100);
  assert.equal(motion.phase, 'stopping');
  clock.advance(500);
  assert.deepEqual(ends, ['cancelled']);
});

test("scales a jog's speed and turn rate together so that no wheel exceeds its limit", () => {
  const { kinematics, limits } = defaultSettings();
  const wheels = new Wheels({ ...kinematics, openLoopMmpsAtFull: 200 }, limits);
  const { mmps, ddegps } = wheels.within({ mmps: 300, ddegps: 900 });
  assert.ok(Math.abs(mmps / ddegps - 300 / 900) < 1e-9);
  const { ahead, left } = wheels.steps({ mmps, ddegps });
  assert.ok(Math.abs(ahead + left - 127) <= 1, `${ahead} + ${left}`);
});

/** A Sabertooth driver in an open session. */
async function sabertooth() {
  const clock = new FakeClock();
  const settings = defaultSettings();
  settings.safety.allowNoWatchdog = true;
  Object.assign(settings.serial, { driver: 'sabertooth', baudRate: 9600 });
  const { link } = new ModelBoard('sabertooth', 1000, clock);
  const driver = createDriver({ ...settings, link, cartId: 1, clock, log: quietLog });
  await driver.open();
  driver.heartbeat(true);
  return { clock, driver };
}

test('rejects a jog while a stop is latched', async () => {
  const { driver } = await sabertooth();
  await driver.estop(0);
  assert.throws(() => driver.jog(1, 200, 0, 500), { code: 'CONTROLLER_ESTOP_ACTIVE' });
  driver.close();
});

test('rejects a jog while the cart brakes, and rejects a different jog while a jog is running', async () => {
  const { clock, driver } = await sabertooth();
  driver.jog(1, 200, 0, 500);
  clock.advance(400);
  assert.throws(() => driver.jog(2, 200, 0, 500), { code: 'CONTROLLER_BUSY' });
  await driver.stop(2);
  assert.throws(() => driver.jog(1, 200, 0, 500), { code: 'CONTROLLER_BUSY' });
  driver.close();
});

test('rejects the late renewal of a jog that has ended', async () => {
  const { clock, driver } = await sabertooth();
  driver.jog(1, 100, 0, 100);
  clock.advance(490);
  await settle();
  assert.throws(() => driver.jog(1, 100, 0, 500), { code: 'CONTROLLER_EXPIRED' });
  driver.close();
});

test('does not send speed commands after the heartbeats stop', async () => {
  const clock = new FakeClock();
  const bytes: number[] = [];
  const link: ByteLink = {
    write: (piece) => void bytes.push(...piece),
    onBytes: () => () => undefined,
    onClose: () => () => undefined,
    close: async () => undefined,
  };
  const settings = defaultSettings();
  settings.safety.allowNoWatchdog = true;
  Object.assign(settings.serial, { driver: 'sabertooth', baudRate: 9600 });
  const deps: DriverDeps = { ...settings, link, cartId: 1, clock, log: quietLog };
  const driver = createDriver(deps);
  const faults: string[] = [];
  driver.onSessionFault(({ code }) => faults.push(code));
  await driver.open();
  driver.heartbeat(true);
  const request = { wireId: 1, raw: { distanceID: 5000, angleID: 0 }, distanceMm: 5000, angleDdeg: 0 };
  const bounds = { maxSpeedMmps: 300, maxDurationMs: 60_000, remainingTtlMs: () => 1000 };
  await driver.move({ ...request, ...bounds });
  clock.advance(500);
  assert.equal(faults.length, 0);
  assert.ok(decodeSabertooth(bytes).some(({ command, value = 0 }) => command === 8 && value > 20));
  clock.advance(50);
  bytes.length = 0;
  clock.advance(5000);
  assert.deepEqual(bytes, [], 'nothing is sent, so that the watchdog of the board stops it');
  assert.equal(faults[0], 'SERIAL_LOST');
  driver.close();
  await settle();
  assert.deepEqual(
    decodeSabertooth(bytes).map(({ command, value }) => [command, value]),
    [
      [8, 0],
      [10, 0],
      [14, 5],
    ],
    'the last packet of a moving session is a stop',
  );
  assert.equal(clock.timers, 0);
});

test.run();

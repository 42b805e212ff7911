import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { FrameBody } from '../../src/carts/serial/codec/codec.js';
import { Host } from '../unit/simulator/host.js';
import { HELLO, MOVE } from './bench-script.js';
import { buildHost, ControllerScript, hasCompiler } from './host.js';

/** Limits that neither the reference firmware on the PC nor the simulated controller lowers. */
const LIMITS = {
  type: 'LIMITS',
  maxSpeedMmps: 300,
  accelMmps2: 400,
  decelMmps2: 500,
  omegaMaxDdegps: 900,
} as const;
/** The strongest slow-down in front of an obstacle, to a fifth of the speeds. */
const SLOW_DOWN = { ...LIMITS, maxSpeedMmps: 60, omegaMaxDdegps: 180 };
const STOP = { type: 'STOP', category: 2, wireId: 0 } as const;
const DRIVE = { ...MOVE, angleDdeg: 0 };
const TURN = { ...MOVE, angleDdeg: 3600 };
const ARC = { type: 'JOG', wireId: 50, speedMmps: 200, omegaDdegps: -600, leaseMs: 1000 } as const;
const RAMP_MS = 1000;
const STOPPED_MS = 4000;
const TICK_MS = 10;
/** Largest difference between two stops, as a share. */
const TOLERANCE = 0.05;

/** The event that follows when the cart has reached its speed; `silence` means that no more frames arrive. */
type Trigger = FrameBody[] | 'silence';

interface Stop {
  /** Time from the trigger to standstill, or to the end of the speed that the cart had. */
  ms: number;
  mm: number;
  deg: number;
}

interface Sample {
  atMs: number;
  speedMmps: number;
  omegaDdegps: number;
}

let program = '';
let dispose = () => {};
test.before(() => {
  ({ program, dispose } = buildHost());
});
test.after(() => dispose());

/** Evaluates speeds that change only at the times of the samples. */
function stopOf(samples: readonly Sample[], fromMs: number): Stop {
  let [ms, mm, deg] = [0, 0, 0];
  for (const [index, { atMs, speedMmps, omegaDdegps }] of samples.entries()) {
    const untilMs = samples[index + 1]?.atMs ?? atMs;
    const durationMs = untilMs - Math.max(atMs, fromMs);
    if (durationMs <= 0 || (speedMmps === 0 && omegaDdegps === 0)) continue;
    ms = untilMs - fromMs;
    mm += (speedMmps * durationMs) / 1000;
    deg += (omegaDdegps * durationMs) / 10_000;
  }
  return { ms, mm, deg };
}

function firmwareStop(motion: FrameBody, trigger: Trigger): Stop {
  const script = new ControllerScript(program).ready().send(LIMITS).send(motion).heartbeats(RAMP_MS);
  const fromMs = 100 + RAMP_MS;
  for (const frame of trigger === 'silence' ? [] : trigger) script.send(frame);
  if (trigger === 'silence') script.wait(STOPPED_MS);
  else script.heartbeats(STOPPED_MS, !trigger.some(disarms));
  const samples = script.run().filter((one) => one.kind === 'drive');
  return stopOf(samples, fromMs);
}

function simulatedStop(motion: FrameBody, trigger: Trigger): Stop {
  const host = new Host();
  host.hello();
  host.send(LIMITS);
  host.heartbeat();
  const samples: Sample[] = [];
  const run = (ms: number, beats: boolean, armed = true): void => {
    for (let at = 0; at < ms; at += TICK_MS) {
      if (beats && at % 100 === 0) host.heartbeat(armed);
      host.clock.advance(TICK_MS);
      const { speed, turnRate } = host.controller.snapshot();
      samples.push({ atMs: host.clock.now(), speedMmps: speed, omegaDdegps: turnRate * 10 });
    }
  };
  host.send(motion);
  run(RAMP_MS, true);
  const fromMs = host.clock.now();
  if (trigger === 'silence') run(STOPPED_MS, false);
  else {
    for (const frame of trigger) host.send(frame);
    run(STOPPED_MS, true, !trigger.some(disarms));
  }
  return stopOf(samples, fromMs);
}

const disarms = (frame: FrameBody): boolean => frame.type === 'HEARTBEAT' && !frame.armed;

function isNear(actual: Stop, expected: Stop, slack: Stop): boolean {
  return (['ms', 'mm', 'deg'] as const).every(
    (key) => Math.abs(actual[key] - expected[key]) <= TOLERANCE * Math.abs(expected[key]) + slack[key],
  );
}

const EXACT: Stop = { ms: 0, mm: 0, deg: 0 };
/** The two controllers may be one 10 ms step apart, in which the cart moves 3 mm or turns 0.9 degrees. */
const ONE_STEP: Stop = { ms: TICK_MS, mm: 3, deg: 0.9 };

const MOTIONS = { 'turning in place': TURN, 'driving straight ahead': DRIVE, 'driving in an arc': ARC };
const TRIGGERS: Record<string, FrameBody[]> = {
  'a STOP of category 2': [STOP],
  'a STOP of category 1': [{ ...STOP, category: 1 }],
  'a HEARTBEAT with armed = 0': [{ type: 'HEARTBEAT', armed: false, timeoutMs: 500 }],
};

for (const [doing, motion] of Object.entries(MOTIONS)) {
  for (const [what, trigger] of Object.entries(TRIGGERS)) {
    // Fault case 58
    test(`${what} stops a cart ${doing} as quickly after a slow-down as without a slow-down`, () => {
      for (const stopBy of [firmwareStop, simulatedStop]) {
        const [plain, slowed] = [stopBy(motion, trigger), stopBy(motion, [SLOW_DOWN, ...trigger])];
        assert.ok(plain.ms > 100 && plain.ms <= 700, `${stopBy.name}: ${JSON.stringify(plain)}`);
        assert.ok(isNear(slowed, plain, EXACT), `${stopBy.name}: ${JSON.stringify([plain, slowed])}`);
      }
    });
  }
}

test('the simulated controller stops in the same way as the firmware', () => {
  const triggers: Trigger[] = [
    ...Object.values(TRIGGERS),
    [SLOW_DOWN, STOP],
    [{ ...LIMITS, decelMmps2: 100 }, STOP],
    [{ ...HELLO, hostNonce: 9 }],
    'silence',
  ];
  for (const [doing, motion] of Object.entries(MOTIONS)) {
    for (const trigger of triggers) {
      const [real, simulated] = [firmwareStop(motion, trigger), simulatedStop(motion, trigger)];
      const text = `${doing}, ${JSON.stringify(trigger)}: ${JSON.stringify([real, simulated])}`;
      assert.ok(isNear(simulated, real, ONE_STEP), text);
    }
  }
});

// Fault case 58
test('a LIMITS frame with a lower deceleration does not weaken the stop of the current motion', () => {
  const lower = { ...LIMITS, decelMmps2: 100 };
  for (const stopBy of [firmwareStop, simulatedStop]) {
    const plain = stopBy(DRIVE, [STOP]);
    assert.ok(isNear(stopBy(DRIVE, [lower, STOP]), plain, EXACT), stopBy.name);
    assert.ok(isNear(stopBy(ARC, [lower, STOP]), stopBy(ARC, [STOP]), EXACT), stopBy.name);
  }
});

test('a LIMITS frame with a lower deceleration applies to the next motion', () => {
  const script = new ControllerScript(program).ready().send(LIMITS).send(ARC).heartbeats(300);
  script
    .send({ ...LIMITS, decelMmps2: 250 })
    .send(STOP)
    .heartbeats(1000);
  script.send({ ...DRIVE, wireId: 51 }).heartbeats(2000);
  const samples = script
    .send(STOP)
    .heartbeats(3000)
    .run()
    .filter((one) => one.kind === 'drive');
  const { ms } = stopOf(samples, 3400);
  assert.ok(Math.abs(ms - (300 / 250) * 1000) <= 2 * TICK_MS, `${ms}`);
});

// Fault case 58
test('a slow-down during a turn does not make the cart turn too far', () => {
  for (const atMs of [1500, 1700, 1900, 2000]) {
    const script = new ControllerScript(program).ready().send(LIMITS);
    script.send({ ...MOVE, angleDdeg: 1800, distanceMm: 0 }).heartbeats(atMs);
    const events = script.send(SLOW_DOWN).heartbeats(8000).run();
    const turned = events.flatMap((one) =>
      one.kind === 'frame' && one.frame.type === 'EVENT' && one.frame.event === 'finished'
        ? [one.frame.finalDdeg]
        : [],
    );
    assert.ok(Math.abs((turned[0] ?? 0) - 1800) <= 10, `slow-down after ${atMs} ms: ${turned[0]}`);
  }
});

if (hasCompiler()) test.run();
else process.stdout.write('SKIPPED test/firmware/stop.test.ts: g++ is not installed\n');

import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FAULTS, type FrameOf } from '../../src/carts/serial/codec/codec.js';
import { MOVE } from './bench-script.js';
import { buildHost, ControllerScript, type HostEvent, hasCompiler } from './host.js';

/** The wheel speed that the controller expects at full PWM. */
const EXPECTED_MMPS = 800;

let program = '';
let dispose = () => {};
test.before(() => {
  ({ program, dispose } = buildHost());
});
test.after(() => dispose());

const script = (fullMmps: number, lagMs = 100) =>
  new ControllerScript(program).ready().step('motors', fullMmps).step('lag', lagMs);
const print = (text: string): void => void process.stdout.write(`  ${text}\n`);

const speeds = (events: HostEvent[]) =>
  events.flatMap((one) => (one.kind === 'speed' ? [one.leftMmps, one.rightMmps] : []));
const endOf = (events: HostEvent[]) =>
  events.flatMap((one) =>
    one.kind === 'frame' &&
    one.frame.type === 'EVENT' &&
    one.frame.wireId !== 0 &&
    one.frame.event !== 'started'
      ? [{ ...(one.frame as FrameOf<'EVENT'>), atMs: one.atMs }]
      : [],
  )[0];
const enableOffMs = (events: HostEvent[]) =>
  events.find((one) => one.kind === 'enable' && !one.on && one.atMs > 100)?.atMs ?? Number.NaN;

for (const [label, full, lagMs] of [
  ['as fast as expected', 1, 100],
  ['15 % slower than expected', 0.85, 50],
  ['15 % faster than expected', 1.15, 200],
] as const) {
  test(`drives 1 m and turns 90 degrees within 2 %, at most 5 % too fast, when the motors are ${label}`, () => {
    const drive = script(full * EXPECTED_MMPS, lagMs)
      .send({ ...MOVE, distanceMm: 1000 })
      .heartbeats(6000)
      .run();
    const end = endOf(drive);
    const highest = Math.max(...speeds(drive));
    print(`motors ${label}: 1 m ends at ${end?.finalMm} mm, highest speed ${highest} mm/s`);
    assert.equal(end?.event, 'finished');
    assert.ok(Math.abs(end.finalMm - 1000) <= 20, `${end.finalMm}`);
    assert.ok(highest <= 1.05 * MOVE.maxSpeedMmps && highest >= 0.95 * MOVE.maxSpeedMmps, `${highest}`);
    const turn = endOf(
      script(full * EXPECTED_MMPS, lagMs)
        .send({ ...MOVE, distanceMm: 0, angleDdeg: 900 })
        .heartbeats(6000)
        .run(),
    );
    assert.ok(turn?.event === 'finished' && Math.abs(turn.finalDdeg - 900) <= 18, `${turn?.finalDdeg}`);
  });
}

test('a blocked wheel is reported as a stall, and motor enable goes low within 600 ms', () => {
  const events = script(EXPECTED_MMPS).send(MOVE).heartbeats(1000).step('jam', 1).heartbeats(2000).run();
  const end = endOf(events);
  assert.deepEqual([end?.event, end?.code], ['failed', 8]);
  assert.ok(enableOffMs(events) <= 1100 + 600, `${enableOffMs(events)}`);
  const faults = events.flatMap((one) =>
    one.kind === 'frame' && one.frame.type === 'STATUS' ? [one.frame.faults] : [],
  );
  assert.equal(faults.at(-1), FAULTS.stall);
});

test('an encoder that counts in the wrong direction switches motor enable off within 600 ms of the start', () => {
  const events = script(EXPECTED_MMPS).step('miswire', 1).send(MOVE).heartbeats(3000).run();
  assert.deepEqual([endOf(events)?.event, endOf(events)?.code], ['failed', 8]);
  assert.ok(enableOffMs(events) <= 100 + 600, `${enableOffMs(events)}`);
});

test('a single-channel encoder whose edges bounce measures the distance within 2 %', () => {
  for (const us of [5, 60, 150]) {
    const drive = script(EXPECTED_MMPS)
      .step('bounce', us)
      .send({ ...MOVE, distanceMm: 1000 });
    const events = drive.heartbeats(6000).run();
    const end = endOf(events);
    // The speeds are reported every 10 ms.
    const travelledMm = speeds(events).reduce((sum, mmps) => sum + mmps / 100, 0) / 2;
    assert.equal(end?.event, 'finished', `${us} us`);
    assert.ok(Math.abs(travelledMm - 1000) <= 20, `${us} us: the wheels travel ${travelledMm} mm`);
  }
});

test('an encoder count that arrives sooner than is possible at full speed does not change the measured speed', () => {
  const measured = (us: number) => speeds(new ControllerScript(program).step('sample', us).run());
  for (const us of [0, 1, 20, 60, 80, 200, 2000]) {
    const [lowest = 0, highest = 0] = measured(us);
    assert.ok(lowest >= 147 && highest <= 151, `${us} us: ${lowest} to ${highest} mm/s`);
  }
});

test('an aborted drive and a reversal do not cause a wheel fault', () => {
  const jog = { type: 'JOG', wireId: 50, speedMmps: 300, omegaDdegps: 0, leaseMs: 1000 } as const;
  const reversed = script(EXPECTED_MMPS)
    .send(jog)
    .heartbeats(800)
    .send({ ...jog, speedMmps: -300 })
    .heartbeats(800)
    .send({ ...jog, speedMmps: -300 })
    .heartbeats(800);
  const events = reversed.send({ type: 'STOP', category: 2, wireId: 0 }).heartbeats(1500).run();
  assert.deepEqual([endOf(events)?.event, endOf(events)?.code], ['cancelled', 1]);
  assert.ok(Math.min(...speeds(events)) < -200);
});

if (hasCompiler()) test.run();
else process.stdout.write('SKIPPED test/firmware/wheel.test.ts: g++ is not installed\n');

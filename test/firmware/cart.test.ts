import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FAULTS, type FrameOf } from '../../src/carts/serial/codec/codec.js';
import { END_CODES } from '../../src/carts/serial/codec/event-reasons.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, type BenchEvent, CART, CYCLES_PER_MS, missingTool, sentFrames } from './bench.js';
import { BenchScript, MOVE } from './bench-script.js';
import { FLOODS, flood } from './floods.js';
import { addSilences, latencies, silenceReports, summary } from './latency.js';

const EDGES = 300;
const PULSES = 60;
const LIMIT_MS = 5;
const SILENCES = 60;
const SILENCE_LIMIT_MS = 250;
/** Margin of the protective field in the sketch's configuration. */
const MARGIN_MM = 100;
const TRACK_MM = 400;
/** A slower wheel counts as stationary. */
const STANDSTILL_MMPS = 5;

let bench: Bench;
test.before(() => {
  bench = new Bench(['uno'], { config: CART });
});
test.after(() => bench.dispose());

const print = (text: string): void => void process.stdout.write(`  ${text}\n`);
const range = (values: number[]) => `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
const wheelsOf = (events: BenchEvent[]) => events.flatMap((one) => (one.event === 'wheels' ? [one] : []));

function endsOf(events: BenchEvent[]): (FrameOf<'EVENT'> & { cycle: number })[] {
  return sentFrames(events).flatMap(({ cycle, frame }) =>
    frame.type === 'EVENT' && frame.wireId !== 0 && frame.event !== 'started' && !frame.retry
      ? [{ ...frame, cycle }]
      : [],
  );
}

for (const { fullMmps, lagMs } of [
  { fullMmps: 800, lagMs: 100 },
  { fullMmps: 680, lagMs: 50 },
  { fullMmps: 920, lagMs: 150 },
]) {
  test(`drives 1.00 m within 2 % when the motors reach ${fullMmps} mm/s at full PWM and lag by ${lagMs} ms`, async () => {
    const script = new BenchScript().cart({ fullMmps, lagMs }).ready(300).move(300, 1000);
    const events = await bench.run(script.heartbeats(6000));
    const wheels = wheelsOf(events);
    const mm = wheels.at(-1)?.mm ?? [0, 0];
    const highest = Math.max(...wheels.flatMap(({ mmps }) => mmps));
    const [end] = endsOf(events);
    print(
      `${fullMmps} mm/s, ${lagMs} ms: wheels at ${mm.join(' and ')} mm, reported ${end?.finalMm} mm, highest speed ${highest} mm/s`,
    );
    assert.equal(end?.event, 'finished');
    assert.ok(mm.every((one) => Math.abs(one - 1000) <= 20) && Math.abs(end.finalMm - 1000) <= 20);
    assert.ok(highest <= 1.05 * 300 && highest >= 0.97 * 300);
    const last = sentFrames(events).findLast(({ frame }) => frame.type === 'STATUS')?.frame;
    assert.ok(last?.type === 'STATUS' && Math.abs(last.odoLeftMm - mm[0]) <= 1, JSON.stringify(last));
  });
}

test('a blocked wheel is reported as a stall, and motor enable goes low', async () => {
  const script = new BenchScript()
    .cart()
    .ready(300)
    .move()
    .heartbeats(1000)
    .mark('block')
    .command('block', 1);
  const events = await bench.run(script.heartbeats(1500));
  const from = events.find((one) => one.event === 'mark')?.cycle ?? Number.NaN;
  const off = events.find((one) => one.event === 'enable' && one.level === 0)?.cycle ?? Number.NaN;
  const offMs = (off - from) / CYCLES_PER_MS;
  print(`blocked wheels: motor enable off after ${offMs.toFixed(0)} ms`);
  assert.ok(offMs > 300 && offMs <= 700, `${offMs}`);
  assert.equal(endsOf(events)[0]?.code, END_CODES.fault);
  const faults = sentFrames(events).flatMap(({ frame }) => (frame.type === 'STATUS' ? [frame.faults] : []));
  assert.equal(faults.at(-1), FAULTS.stall);
});

test('switches motor enable off within 5 ms of a bumper press, even during floods', async () => {
  const random = new Random(11);
  const names = Object.keys(FLOODS).filter((name) => name !== 'ESTOP');
  const script = new BenchScript().cart().ready(300).command('frames', 0);
  for (let n = 0; n < EDGES; n++) {
    // Each motion leads away from the bumper that was pressed last.
    const bumper = n % 2;
    script
      .heartbeat()
      .move(bumper ? -200 : 200)
      .wait(20 + random.int(0, 20_000) / 1000);
    if (n % 3 === 0) flood(script, random, names[(n / 3) % names.length] ?? '', 20);
    script
      .wait(random.int(0, 10_000) / 1000)
      .command('bumper', bumper, 1)
      .wait(8);
    script.drain().heartbeat().wait(5).command('bumper', bumper, 0).wait(60);
  }
  const times = latencies(await bench.run(script.report()), 'bumper');
  print(`bumper to enable off, ${times.length} presses: ${summary(times)}`);
  assert.equal(times.length, EDGES);
  assert.ok(times.every((ms) => ms <= LIMIT_MS) && times.filter((ms) => ms > 0).length >= EDGES * 0.95);
});

test('switches motor enable off on every 2 ms pulse of a bumper', async () => {
  const random = new Random(14);
  const script = new BenchScript().cart().ready(300).command('frames', 0);
  for (let n = 0; n < PULSES; n++) {
    const bumper = n % 2;
    script
      .heartbeat()
      .move(bumper ? -200 : 200)
      .wait(20 + random.int(0, 30_000) / 1000)
      .command('bumper', bumper, 1)
      .wait(2)
      .command('bumper', bumper, 0)
      .wait(110);
  }
  const times = latencies(await bench.run(script.report()), 'bumper');
  print(`${times.length} pulses of 2 ms: ${summary(times)}`);
  assert.equal(times.length, PULSES);
  assert.ok(times.every((ms) => ms > 0 && ms <= LIMIT_MS));
});

test('switches motor enable off within 5 ms of the E-stop while encoders and sensors are active', async () => {
  const random = new Random(12);
  const script = new BenchScript().cart().ready(300).command('frames', 0).command('range', 1, 300);
  for (let n = 0; n < EDGES; n++) {
    script.pressReset().heartbeat().move(400);
    script.wait(20 + random.int(0, 60_000) / 1000);
    if (n % 3 === 0) flood(script, random, 'STOP', 20);
    script
      .wait(random.int(0, 10_000) / 1000)
      .estop(true)
      .wait(6)
      .drain()
      .estop(false)
      .wait(50);
  }
  const events = await bench.run(script.report());
  const times = latencies(events);
  const board = events.find((one) => one.event === 'board');
  print(`E-stop to enable off, ${times.length} presses: ${summary(times)}, ${JSON.stringify(board)}`);
  assert.equal(times.length, EDGES);
  assert.ok(times.every((ms) => ms <= LIMIT_MS));
  assert.ok(board && board.longestUnwatchedUs < 2000);
});

for (const mmps of [100, 200, 300, 400, 500]) {
  test(`stops before a wall with the required margin when driving at ${mmps} mm/s`, async () => {
    const wallMm = 1500;
    const script = new BenchScript().cart().ready(300).command('wall', wallMm).move(mmps);
    const events = await bench.run(script.heartbeats((wallMm / mmps) * 1000 + 4000));
    const left = Math.min(...wheelsOf(events).map((one) => one.wallMm || wallMm));
    print(`${mmps} mm/s: stops ${left} mm before the wall`);
    assert.deepEqual(
      endsOf(events).map(({ event, code }) => `${event} ${code}`),
      [`failed ${END_CODES.obstacle}`],
    );
    assert.ok(left >= MARGIN_MM * 0.75 && left <= MARGIN_MM + 0.25 * mmps + 20, `${left}`);
    assert.equal(events.findLast((one) => one.event === 'enable')?.level, 0);
  });
}

/**
 * Time to standstill and turned angle after a STOP; before the STOP, the cart turns at 90 degrees per second.
 */
async function turnStop(slowDown: boolean): Promise<{ ms: number; deg: number }> {
  const limits = { type: 'LIMITS', accelMmps2: 400, decelMmps2: 500 } as const;
  const script = new BenchScript().cart().ready(300);
  script.send({ ...limits, maxSpeedMmps: 300, omegaMaxDdegps: 900 });
  script.send({ ...MOVE, angleDdeg: 3600 }).heartbeats(1500);
  if (slowDown) script.send({ ...limits, maxSpeedMmps: 60, omegaMaxDdegps: 180 });
  script.send({ type: 'STOP', category: 2, wireId: 0 }).drain().mark('stop').heartbeats(4000);
  const events = await bench.run(script);
  const from = events.find((one) => one.event === 'mark')?.cycle ?? Number.NaN;
  const after = wheelsOf(events).filter(({ cycle }) => cycle >= from);
  const still = after.find(({ mmps }) => mmps.every((one) => Math.abs(one) < STANDSTILL_MMPS));
  const turnedDeg = ({ mm: [left, right] }: { mm: [number, number] }) =>
    (((right - left) / TRACK_MM) * 180) / Math.PI;
  const [first, last] = [after[0], after.at(-1)];
  assert.ok(still && first && last);
  return { ms: (still.cycle - from) / CYCLES_PER_MS, deg: turnedDeg(last) - turnedDeg(first) };
}

// Fault case 58
test('stops a turning cart as quickly after a slow-down as without a slow-down', async () => {
  const [plain, slowed] = [await turnStop(false), await turnStop(true)];
  print(`without a slow-down: ${JSON.stringify(plain)}; after a slow-down: ${JSON.stringify(slowed)}`);
  assert.ok(plain.ms < 1000 && plain.deg < 45);
  assert.ok(Math.abs(slowed.ms - plain.ms) <= 0.05 * plain.ms);
  assert.ok(Math.abs(slowed.deg - plain.deg) <= 0.05 * plain.deg);
});

test('begins to stop within 250 ms when a sensor stops responding', async () => {
  const script = new BenchScript().cart().ready(300).move(300).heartbeats(1500);
  addSilences(script, new Random(13), SILENCES, 400);
  const times = silenceReports(await bench.run(script));
  print(`silence to the report of the fault, ${times.length} silences: ${range(times)} ms`);
  assert.equal(times.length, SILENCES);
  assert.ok(times.every((ms) => ms <= SILENCE_LIMIT_MS));
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/cart.test.ts: ${missing} is not installed\n`);
else test.run();

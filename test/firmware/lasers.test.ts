import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { END_CODES } from '../../src/carts/serial/codec/event-reasons.js';
import { packageRoot } from '../../src/shared/package-root.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, CART, missingTool, sentFrames } from './bench.js';
import { BenchScript } from './bench-script.js';
import { ARDUINO } from './compile.js';
import { addSilences, latencies, silenceReports, summary } from './latency.js';

const EDGES = 100;
const SILENCES = 20;
const LIBRARIES = [join(packageRoot(), 'test/firmware/lasers'), join(ARDUINO, 'libraries/Wire')];
/** Replaces the cart's ultrasonic sensors with two lasers, and removes the bumper on a pin of the I2C bus. */
const CHANGES: readonly [from: string, to: string][] = [
  ['#define CGW1_LASERS 0', '#define CGW1_LASERS 1'],
  ['{A5, kNone, 9, kNone}', '{kNone, kNone, 9, kNone}'],
  ['{SensorKind::Ultrasonic, A1, kFrontEcho, 0, 30, 250}', '{SensorKind::Laser, A1, kNone, 0, 27, 300}'],
  ['{SensorKind::Ultrasonic, A3, kRearEcho, 1800, 30, 250}', '{SensorKind::Laser, A2, kNone, 1800, 27, 300}'],
];

const file = join(tmpdir(), `cart-with-lasers-${process.pid}.h`);
let bench: Bench;
test.before(() => {
  let config = readFileSync(join(packageRoot(), CART), 'utf8');
  for (const [from, to] of CHANGES) {
    assert.ok(config.includes(from), from);
    config = config.replace(from, to);
  }
  writeFileSync(file, config);
  bench = new Bench(['uno'], { config: file, libraries: LIBRARIES });
});
test.after(() => {
  bench.dispose();
  rmSync(file);
});

const print = (text: string): void => void process.stdout.write(`  ${text}\n`);
const cart = () => new BenchScript().cart().command('lasers').ready(300).wait(200);

for (const mmps of [100, 300, 500]) {
  test(`a cart driving at ${mmps} mm/s stops before a wall that a laser detects`, async () => {
    const wallMm = 1200;
    const script = cart().command('wall', wallMm).heartbeats(200).move(mmps);
    const events = await bench.run(script.heartbeats((wallMm / mmps) * 1000 + 3000));
    const left = Math.min(
      ...events.flatMap((one) => (one.event === 'wheels' && one.wallMm ? [one.wallMm] : [])),
    );
    print(`${mmps} mm/s: stops ${left} mm before the wall`);
    const codes = sentFrames(events).flatMap(({ frame }) =>
      frame.type === 'EVENT' && frame.event === 'failed' && !frame.retry ? [frame.code] : [],
    );
    assert.deepEqual(codes, [END_CODES.obstacle]);
    assert.ok(left >= 80 && left <= 250, `${left}`);
  });
}

test('reports within 250 ms that a laser is not responding', async () => {
  const script = cart().command('range', 0, 2900).heartbeats(300);
  addSilences(script, new Random(21), SILENCES, 1000);
  const times = silenceReports(await bench.run(script));
  print(`${times.length} silences: reported after at most ${Math.max(...times).toFixed(1)} ms`);
  assert.ok(times.length === SILENCES && times.every((ms) => ms <= 250));
});

test('switches motor enable off within 5 ms of the E-stop while lasers are being read', async () => {
  const random = new Random(22);
  const script = cart().command('frames', 0);
  for (let n = 0; n < EDGES; n++) {
    script.pressReset().heartbeat().move(400);
    script
      .wait(20 + random.int(0, 60_000) / 1000)
      .estop(true)
      .wait(6)
      .estop(false)
      .wait(30);
  }
  const times = latencies(await bench.run(script));
  print(`E-stop to enable off, ${times.length} presses: ${summary(times)}`);
  assert.ok(times.length === EDGES && times.every((ms) => ms <= 5));
  assert.ok(times.filter((ms) => ms > 0).length === EDGES);
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/lasers.test.ts: ${missing} is not installed\n`);
else test.run();

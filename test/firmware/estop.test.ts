import assert from 'node:assert/strict';
import { test } from 'uvu';
import { rounds } from '../helpers/random.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, missingTool } from './bench.js';
import { BenchScript } from './bench-script.js';
import { FLOODS, flood } from './floods.js';
import { latencies, summary } from './latency.js';

/** Maximum time in ms from pressing the E-stop until motor enable goes low. */
const LIMIT_MS = 5;
/** A pulse shorter than this may be missed. */
const SHORTEST_PULSE_MS = 2;
const EDGES = rounds(300, 1000);
const FLOODED_EDGES = 300;
const PULSES = rounds(300, 1000);

let bench: Bench;
test.before(() => {
  bench = new Bench();
});
test.after(() => bench.dispose());

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
    // An ESTOP frame has already switched motor enable off.
    if (name !== 'ESTOP')
      assert.ok(
        times.every((ms) => ms <= LIMIT_MS),
        `${name}: ${summary(times)}`,
      );
  }
});

test('latches the E-stop on every 2 ms pulse of its input', async () => {
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
  assert.equal(times.length, PULSES);
  assert.ok(times.filter((ms) => ms > 0).length >= 0.95 * PULSES, 'the cart was driving');
  assert.ok(
    times.every((ms) => ms <= LIMIT_MS),
    summary(times),
  );
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/estop.test.ts: ${missing} is not installed\n`);
else test.run();

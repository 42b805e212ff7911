import assert from 'node:assert/strict';
import { test } from 'uvu';
import { SecondUno } from './avr8js.js';
import { Bench, type BenchEvent, CYCLES_PER_MS, missingTool } from './bench.js';
import { BenchScript, HEARTBEAT, HELLO, MOVE } from './bench-script.js';

const PRESSES = 10;
/** The two simulators start the sketch a few cycles apart, so the sketch's 10 ms ticks are not aligned. */
const TICK_MS = 10;
/** Duration of the longest iteration of the main loop. */
const LOOP_MS = 2.5;

/** Performs the steps of `ready` and `move` on avr8js, and returns the cycle of the MOVE's first byte. */
function drive(uno: SecondUno): number {
  const frames = new BenchScript();
  uno.run(50);
  uno.send(Uint8Array.of(0));
  uno.send(frames.frame(HELLO));
  uno.run(5);
  uno.send(frames.frame(HEARTBEAT));
  uno.run(5);
  const at = uno.cycle;
  uno.send(frames.frame(MOVE));
  return at;
}

const msBetween = (from: number, to: number) => (to - from) / CYCLES_PER_MS;

function enableTimes(events: BenchEvent[]): number[] {
  const from = events.find((one) => one.event === 'mark')?.cycle ?? Number.NaN;
  return events.flatMap((one) => (one.event === 'enable' ? [msBetween(from, one.cycle)] : []));
}

test('an independent simulator agrees on the start, stop and link-loss times', async () => {
  const bench = new Bench();
  const lost = await bench.run(new BenchScript().ready().mark('move').move().wait(2000));
  const expected = enableTimes(lost);
  const uno = new SecondUno(bench.hex('uno'));
  const from = drive(uno);
  uno.run(2000);
  const times = uno.enables.map(({ cycle }) => msBetween(from, cycle));
  process.stdout.write(
    `  link loss: enable on and off after ${expected.join(', ')} ms; avr8js: ${times.join(', ')} ms\n`,
  );
  assert.deepEqual(
    uno.enables.map(({ level }) => level),
    [1, 0],
  );
  for (const [index, limit] of [LOOP_MS, 2 * TICK_MS].entries()) {
    assert.ok(Math.abs((times[index] ?? Number.NaN) - (expected[index] ?? Number.NaN)) <= limit);
  }

  const stops = Array.from({ length: PRESSES }, (_, n) => {
    const one = new SecondUno(bench.hex('uno'));
    drive(one);
    one.run(20 + n * 3.3);
    const pressedAt = one.cycle;
    one.pressEstop();
    one.run(10);
    assert.equal(one.enables.at(-1)?.level, 0);
    return msBetween(pressedAt, one.enables.at(-1)?.cycle ?? Number.NaN);
  });
  process.stdout.write(`  avr8js: press to enable off at most ${Math.max(...stops).toFixed(3)} ms\n`);
  assert.ok(stops.every((ms) => ms <= LOOP_MS));
  bench.dispose();
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/cross-check.test.ts: ${missing} is not installed\n`);
else test.run();

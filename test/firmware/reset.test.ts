import assert from 'node:assert/strict';
import { test } from 'uvu';
import { rounds } from '../helpers/random.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, type BenchEvent, CART, missingTool, sentFrames } from './bench.js';
import { BenchScript } from './bench-script.js';

const GLITCHES = rounds(100, 1000);
const LONGEST_GLITCH_MS = 50;
/** Longer than the longest iteration of the main loop, so that the firmware reads the pin between two glitches. */
const SHORTEST_GAP_MS = 5;
const SEED = 31;

let bench: Bench;
test.before(() => {
  bench = new Bench(['uno'], { config: CART });
});
test.after(() => bench.dispose());

const INPUTS: Record<string, (script: BenchScript, on: boolean) => void> = {
  'the reset button': (script, on) => script.command('button', on ? 1 : 0),
  'the E-stop': (script, on) => script.estop(on),
  'the front bumper': (script, on) => script.command('bumper', 0, on ? 1 : 0),
  'the rear bumper': (script, on) => script.command('bumper', 1, on ? 1 : 0),
};

/** A cart whose E-stop button has been pressed and released. */
function latched(): BenchScript {
  return new BenchScript().cart().ready(300).estop(true).wait(20).estop(false).wait(20).mark('latched');
}

/** The states that the controller has reported since the mark, without repetitions. */
function statesSince(events: BenchEvent[], mark: string): string[] {
  const from = events.find((one) => one.event === 'mark' && one.text === mark)?.cycle ?? Number.NaN;
  return sentFrames(events)
    .flatMap(({ cycle, frame }) => (frame.type === 'STATUS' && cycle > from ? [frame.state] : []))
    .filter((state, index, all) => state !== all[index - 1]);
}

for (const [name, set] of Object.entries(INPUTS)) {
  // Fault case 59
  test(`${GLITCHES} glitches of up to ${LONGEST_GLITCH_MS} ms on the input of ${name} do not reset the E-stop`, async () => {
    const random = new Random(SEED);
    const script = latched();
    for (let n = 0; n < GLITCHES; n++) {
      set(script, true);
      script.wait(random.int(10, LONGEST_GLITCH_MS * 1000) / 1000);
      set(script, false);
      script.wait(SHORTEST_GAP_MS + random.int(0, 10_000) / 1000);
      if (n % 3 === 0) script.heartbeat();
    }
    script.wait(600).mark('press').ready().pressReset().heartbeats(300);
    const events = await bench.run(script);
    assert.deepEqual(statesSince(events, 'latched'), ['ESTOP', 'IDLE']);
    assert.equal(statesSince(events, 'press').at(-1), 'IDLE', 'a press of 103 ms resets the E-stop');
  });
}

test('resets the E-stop when the reset button is released after at least 100 ms, not earlier', async () => {
  for (const [heldMs, isReset] of [
    [60, false],
    [90, false],
    [99, false],
    [103, true],
    [300, true],
    [5000, true],
  ] as const) {
    const script = latched().command('button', 1).wait(heldMs).mark('held').command('button', 0).wait(600);
    const events = await bench.run(script);
    const heldAt = events.find((one) => one.event === 'mark' && one.text === 'held')?.cycle ?? 0;
    const before = statesSince(
      events.filter(({ cycle }) => cycle <= heldAt),
      'latched',
    );
    assert.ok(
      before.every((state) => state === 'ESTOP'),
      `${heldMs} ms: ${before}`,
    );
    assert.equal(statesSince(events, 'held').at(-1) !== 'ESTOP', isReset, `${heldMs} ms`);
  }
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/reset.test.ts: ${missing} is not installed\n`);
else test.run();

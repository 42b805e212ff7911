import assert from 'node:assert/strict';
import { test } from 'uvu';
import { rounds } from '../helpers/random.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, type BenchEvent, CYCLES_PER_MS, missingTool, type RunOptions, sentFrames } from './bench.js';
import { BenchScript, type ResetCause } from './bench-script.js';
import type { BoardName } from './compile.js';

const HANGS = rounds(20, 50);
const WATCHDOG_LIMIT_MS = 300;
/** Maximum time for which a boot loader waits for an upload if the line is silent. */
const BOOT_MS = 3000;
const MEGA_SILENCE_MS = 5000;
/** Time from the start of the sketch to its first report. */
const FIRST_REPORT_MS = 500;

const SETUPS: readonly RunOptions[] = [
  { board: 'uno' },
  { board: 'uno', bootLoader: 'optiboot' },
  { board: 'uno', bootLoader: 'oldNano' },
  { board: 'mega' },
  { board: 'mega', bootLoader: 'mega' },
];
const CAUSES: readonly (ResetCause | 'hang')[] = ['external', 'power-on', 'brown-out', 'hang'];

const boards: BoardName[] = ['uno', 'mega'];
let bench: Bench;
test.before(() => {
  bench = new Bench(boards);
});
test.after(() => bench.dispose());

const nameOf = ({ board, bootLoader }: RunOptions) => `${board} with ${bootLoader ?? 'no boot loader'}`;

function moving(): BenchScript {
  return new BenchScript().ready(BOOT_MS).move().heartbeats(300).mark('moving');
}

/** Resets the controller of a moving cart; `cause` is the cause of the reset. */
function resetBy(script: BenchScript, cause: ResetCause | 'hang'): BenchScript {
  return cause === 'hang' ? script.command('hang') : script.reset(cause);
}

const enables = (events: BenchEvent[]) =>
  events.flatMap((one) => (one.event === 'enable' ? [one.level] : []));

/** The causes that the controller reports after each start. */
function reportedCauses(events: BenchEvent[]): number[] {
  return sentFrames(events).flatMap(({ frame }) => (frame.type === 'HELLO_R' ? [frame.resetCause] : []));
}

for (const setup of SETUPS) {
  test(`keeps motor enable off through every reset on a ${nameOf(setup)}, until a motion is accepted`, async () => {
    for (const cause of CAUSES) {
      const random = new Random(5);
      const script = resetBy(moving(), cause).wait(300);
      // The boot loader receives noise and frames from a host that has not detected the reset.
      script.bytes(random.bytes(200)).heartbeats(500).move().heartbeats(500);
      const stuck = setup.bootLoader === 'oldNano' && cause === 'hang';
      if (stuck) script.reset('power-on');
      // A Mega's boot loader starts the sketch only 5 s after the last byte.
      if (setup.bootLoader === 'mega') script.wait(MEGA_SILENCE_MS);
      script.ready(BOOT_MS).wait(50).mark('ready').move().wait(50);
      const events = await bench.run(script, setup);
      const text = `${nameOf(setup)}, ${cause}`;
      assert.deepEqual(enables(events), [1, 0, 1], text);
      const readyAt = events.findIndex((one) => one.event === 'mark' && one.text === 'ready');
      const lastOn = events.findLastIndex((one) => one.event === 'enable');
      assert.ok(lastOn > readyAt, text);
    }
  });
}

test('switches motor enable off within 300 ms of the last iteration of a main loop that hangs', async () => {
  const random = new Random(6);
  const script = moving();
  for (let n = 0; n < HANGS; n++) {
    script.branch(() => {
      script
        .wait(random.int(0, 100_000) / 1000)
        .mark('hang')
        .command('hang')
        .until(0, 1000)
        .wait(400);
    });
  }
  const events = await bench.run(script.wait(200));
  const offs = events.flatMap((one) =>
    one.event === 'enable' && one.level === 0 ? [one.sinceFedUs / 1000] : [],
  );
  process.stdout.write(
    `  ${offs.length} hangs: enable off after ${Math.min(...offs)} to ${Math.max(...offs)} ms\n`,
  );
  assert.equal(offs.length, HANGS);
  assert.ok(offs.every((ms) => ms <= WATCHDOG_LIMIT_MS));
  assert.equal(events.filter((one) => one.event === 'reset' && one.cause === 'watchdog').length, HANGS);
});

test("a Mega's boot loader starts the sketch after 0.83 s of silence, or 5 s after the last byte", async () => {
  const startMs = async (bytes: Uint8Array) => {
    const script = new BenchScript().wait(10).reset('external').mark('from').wait(100);
    script.bytes(bytes).drain();
    if (bytes.length > 0) script.mark('from');
    const events = await bench.run(script.wait(7000), { board: 'mega', bootLoader: 'mega' });
    const from = events.findLast((one) => one.event === 'mark')?.cycle ?? Number.NaN;
    const first = sentFrames(events).find(({ cycle }) => cycle > from)?.cycle ?? Number.NaN;
    return (first - from) / CYCLES_PER_MS - FIRST_REPORT_MS;
  };
  const times = [];
  for (const bytes of [new Uint8Array(), Uint8Array.of(0), new Uint8Array(50).fill(0x55)]) {
    times.push(await startMs(bytes));
  }
  process.stdout.write(`  start of the sketch after ${times.map((ms) => ms.toFixed(0)).join(', ')} ms\n`);
  for (const [index, expected] of [833, 5000, 5000].entries()) {
    assert.ok(Math.abs((times[index] ?? Number.NaN) - expected) < 25, `${times.join(', ')}`);
  }
});

test('reports the cause of a reset even if the boot loader clears the reset flags', async () => {
  const PowerOn = 0;
  const External = 1;
  const Watchdog = 2;
  for (const setup of SETUPS) {
    const expected = [PowerOn, External, Watchdog, External, PowerOn];
    const script = new BenchScript()
      .ready(BOOT_MS)
      .reset('external')
      .ready(BOOT_MS)
      .command('hang')
      .wait(400);
    // An old Nano boot loader does not start the sketch again after a watchdog reset.
    if (setup.bootLoader === 'oldNano') {
      expected.splice(2, 2);
    } else {
      script.ready(BOOT_MS).reset('external').ready(BOOT_MS);
    }
    script.reset('power-on').ready(BOOT_MS).wait(20);
    assert.deepEqual(reportedCauses(await bench.run(script, setup)), expected, nameOf(setup));
  }
});

test('an old Nano boot loader resets endlessly after a watchdog reset, with motor enable off', async () => {
  const script = moving().command('hang').wait(3000).ready(BOOT_MS).wait(100).mark('power').reset('power-on');
  const events = await bench.run(script.ready(BOOT_MS).wait(100).report(), { bootLoader: 'oldNano' });
  const powerAt = events.findIndex((one) => one.event === 'mark' && one.text === 'power');
  const resets = events.slice(0, powerAt).filter((one) => one.event === 'reset' && one.cause === 'watchdog');
  assert.ok(resets.length > 100, `${resets.length}`);
  assert.deepEqual(enables(events), [1, 0]);
  assert.equal(reportedCauses(events.slice(0, powerAt)).length, 1);
  assert.equal(reportedCauses(events.slice(powerAt)).length, 1);
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/boot.test.ts: ${missing} is not installed\n`);
else test.run();

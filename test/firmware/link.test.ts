import assert from 'node:assert/strict';
import { test } from 'uvu';
import { rounds } from '../helpers/random.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, type BenchEvent, CYCLES_PER_MS, missingTool, sentFrames } from './bench.js';
import { BenchScript } from './bench-script.js';
import { isInTime, type Kill, killOf, killSummary, TICK_MS } from './kills.js';

const KILLS = rounds(100, 1000);
const RUNS = 10;
const FRAMES = rounds(5000, 100_000);
/** Report interval while the cart moves. */
const REPORT_MS = 100;
const STATUS_BYTES = 45;
const ACK_BYTES = 14;

let bench: Bench;
test.before(() => {
  bench = new Bench();
});
test.after(() => bench.dispose());

const print = (text: string): void => void process.stdout.write(`  ${text}\n`);
const range = (values: number[], digits: number) =>
  `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;

/** Drives at `speedMmps` and, in copies of the simulation, kills the host or cuts its cable at random times. */
function killScript(speedMmps: number, random: Random): BenchScript {
  const script = new BenchScript().ready().move(speedMmps).heartbeats(200);
  for (let n = 0; n < KILLS / RUNS; n++) {
    const killMs = random.int(0, 100_000) / 1000;
    script.heartbeat().wait(killMs);
    script.branch(() => {
      // If the host is killed, the operating system still sends the buffered frame; if the cable is cut, the
      // frame is lost.
      script.mark('kill');
      if (n % 2) script.command('cut');
      script.until(0, 4000).mark('off').wait(300);
    });
    script.wait(100 - killMs);
  }
  return script;
}

function judge(events: BenchEvent[]): Kill[] {
  const kills: Kill[] = [];
  let receivedAt = 0;
  let duty = 0;
  let atKill: { receivedAt: number; duty: number; events: BenchEvent[] } | undefined;
  for (const one of [...events, { cycle: 0, event: 'mark', text: 'end' } as const]) {
    // After a branch, the original simulation continues at an earlier time.
    const returns = atKill && one.cycle < (atKill.events.at(-1)?.cycle ?? 0);
    if (atKill && returns) {
      kills.push(killOf(atKill));
      ({ receivedAt, duty } = atKill);
      atKill = undefined;
    }
    if (one.event === 'mark' && one.text === 'kill') atKill = { receivedAt, duty, events: [] };
    atKill?.events.push(one);
    if (one.event === 'received' && !atKill) receivedAt = one.cycle;
    if (one.event === 'motor') duty = one.duty;
  }
  return kills;
}

test('begins to brake 500 to 515 ms after the last byte, and switches motor enable off when the ramp ends', async () => {
  const random = new Random(3);
  const speeds = [50, 100, 150, 200, 250, 300, 400, 500, -200, -500];
  const runs = speeds.map((speed) => killScript(speed, random));
  const half = (first: number) => runs.filter((_, index) => index % 2 === first);
  const inOrder = async (scripts: BenchScript[]) => {
    const all: Kill[] = [];
    for (const script of scripts) all.push(...judge(await bench.run(script)));
    return all;
  };
  const kills = (await Promise.all([inOrder(half(0)), inOrder(half(1))])).flat();
  print(killSummary(kills));
  assert.equal(kills.length, KILLS);
  for (const kill of kills) assert.ok(isInTime(kill), JSON.stringify(kill));
});

/** Sends a frame to which the controller responds without moving, and returns the expected response. */
function exchange(script: BenchScript, n: number, random: Random): string {
  const seq = n & 0xff;
  const wireId = random.int(1, 0xffff_ffff);
  const ttl = { angleDdeg: random.int(-3600, 3600), maxSpeedMmps: 300, ttlMs: 0, maxDurationDs: 9 };
  const distanceMm = random.int(-100_000, 100_000);
  if (n % 3 === 0) script.send({ type: 'STOP', category: 2, wireId }, { seq });
  if (n % 3 === 1) script.send({ type: 'MOVE', wireId, distanceMm, ...ttl }, { seq });
  if (n % 3 === 2) script.send({ type: 'ESTOP_RESET', nonce: wireId & 0xffff }, { seq });
  const kind = ['ACK STOP 1', 'NACK MOVE EXPIRED', 'ACK ESTOP_RESET 1'][n % 3] ?? '';
  return `${kind} ${seq} ${n % 3 === 2 ? 0 : wireId}`;
}

function answers(events: BenchEvent[]): string[] {
  return sentFrames(events).flatMap(({ frame }) =>
    frame.type === 'ACK' || frame.type === 'NACK'
      ? [`${frame.type} ${frame.ofType} ${frame.code} ${frame.seq} ${frame.wireId}`]
      : [],
  );
}

test('responds correctly to every frame from a host whose clock is 2.1 % slow or fast', async () => {
  const runs = [0.979, 1.021].map(async (rate) => {
    const random = new Random(4);
    const script = new BenchScript().command('baud', 115_200 * rate).ready();
    const expected = Array.from({ length: FRAMES }, (_, n) => {
      const answer = exchange(script, n, random);
      script.wait(2.2);
      return answer;
    });
    const events = await bench.run(script.wait(20).report());
    const line = events.find((one) => one.event === 'line');
    print(`${FRAMES} frames at ${rate}: ${JSON.stringify(line)}`);
    assert.equal(answers(events).length, FRAMES);
    assert.deepEqual(answers(events), expected);
    assert.ok(!events.some((one) => one.event === 'enable' && one.level === 1));
    assert.equal(line?.framingErrors, 0);
  });
  await Promise.all(runs);
});

test('reports its state on time during a flood of frames that all require a response, and responds as often as the line allows', async () => {
  const script = new BenchScript().ready().move().heartbeats(200);
  const frames = Array.from({ length: 1500 }, () => script.frame({ type: 'STOP', category: 2, wireId: 8 }));
  const flood = Buffer.concat(frames);
  const events = await bench.run(script.mark('flood').bytes(flood).drain().report());
  const times = sentFrames(events).flatMap(({ cycle, frame }) => (frame.type === 'STATUS' ? [cycle] : []));
  const gaps = times.slice(1).map((cycle, index) => (cycle - (times[index] ?? 0)) / CYCLES_PER_MS);
  const acks = answers(events).length;
  const from = events.find(({ event }) => event === 'mark')?.cycle ?? Number.NaN;
  const line = events.find((one) => one.event === 'line');
  // The line limits the number of ACKs: an ACK is longer than a STOP, and STATUS frames also use part of the line.
  const sentBytes = ((line?.cycle ?? 0) - from) / (line?.byteCycles ?? Number.NaN);
  const reports = times.filter((cycle) => cycle > from).length;
  const most = Math.floor((sentBytes - STATUS_BYTES * reports) / ACK_BYTES);
  print(
    `flood of ${frames.length} STOPs: ${acks} of at most ${most} ACKs, ${times.length} reports, ${range(gaps, 1)} ms apart`,
  );
  assert.ok(times.length > 15 && Math.max(...gaps) <= REPORT_MS + 2 * TICK_MS);
  assert.ok(acks >= 0.98 * most && most < frames.length, `${acks} of ${most}`);
});

// Shows that the bench simulates the bit rate.
test('does not respond to a host whose clock is 6 % slow', async () => {
  const script = new BenchScript()
    .command('baud', 115_200 * 0.94)
    .ready()
    .wait(100);
  assert.ok(!sentFrames(await bench.run(script)).some(({ frame }) => frame.type === 'HELLO_R'));
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/link.test.ts: ${missing} is not installed\n`);
else test.run();

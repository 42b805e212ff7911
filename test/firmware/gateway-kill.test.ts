import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import { GatewayProcess } from '../helpers/gateway.js';
import { rounds } from '../helpers/random.js';
import { repeatOnce } from '../helpers/repeat-once.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, type BenchEvent, missingTool } from './bench.js';
import { isInTime, type Kill, killOf, killSummary } from './kills.js';
import { LiveBoard } from './live-board.js';

const KILLS = rounds(3, 20);
/** Driving 5 m at 300 mm/s takes 17 s. The PWM duty at 300 mm/s is 95. */
const MOVE_MM = 5000;
const DUTY = 95;
/** Maximum delay before a kill; covers five heartbeat intervals of 100 ms. */
const LONGEST_DELAY_MS = 500;

const isLag = ({ event }: BenchEvent) => event === 'lag';
const isOff = (one: BenchEvent) => one.event === 'enable' && one.level === 0;
const hasDuty = (duty: number) => (one: BenchEvent) =>
  one.event === 'motor' && one.side === 'left' && one.duty === duty;
const [isFast, isStill] = [hasDuty(DUTY), hasDuty(0)];

/**
 * Kills the gateway at a random time while the cart drives at full speed. Returns undefined if the cart stopped
 * before the kill because the machine was too slow.
 */
async function killDuringMove(delayMs: number): Promise<Kill | undefined> {
  await gateway.logged('link.changed', { state: 'READY' });
  const from = board.events.length;
  const { status, body } = await gateway.move(1, MOVE_MM, { maxSpeed: 300 });
  if (status === 200) await board.until((one) => isFast(one) || isStill(one), from);
  await delay(delayMs);
  const at = board.events.length;
  await gateway.kill('SIGKILL');
  const before = board.events.slice(from);
  if (!before.some(isFast) || before.some(isStill)) {
    assert.ok(before.some(isLag), `the cart did not drive: ${JSON.stringify(body)}`);
    return undefined;
  }
  await board.until(isOff, at);
  await board.until(isStill, at);
  const events = board.events.slice(at);
  const receivedAt = board.events.slice(0, at).findLast(({ event }) => event === 'received')?.cycle ?? 0;
  const kill = killOf({ receivedAt, duty: DUTY, events });
  return events.some(isLag) && !isInTime(kill) ? undefined : kill;
}

let bench: Bench;
let board: LiveBoard;
let gateway: GatewayProcess;
test.before(async () => {
  bench = new Bench();
  const path = join(bench.folder, 'tty');
  board = await LiveBoard.start(bench, { bootLoader: 'optiboot' }, path);
  gateway = await GatewayProcess.start({ serial: { path }, safety: { acceptNoEstop: true } });
});
test.after(async () => {
  await gateway?.close();
  await board?.close();
  bench.dispose();
});

// Fault case 14
test('a cart whose gateway process is killed begins to brake 500 to 515 ms after the last byte', async () => {
  const random = new Random(7);
  const kills: Kill[] = [];
  for (let nth = 0; nth < KILLS; nth += 1) {
    const attempt = async (): Promise<Kill | undefined> => {
      const kill = await killDuringMove(random.int(0, LONGEST_DELAY_MS));
      await gateway.spawn();
      return kill;
    };
    const kill = await repeatOnce(attempt, (result) => (result ? undefined : 'BOARD_LAG'));
    assert.ok(kill, 'the simulated board was late twice');
    kills.push(kill);
  }
  process.stdout.write(`  of the gateway process, ${killSummary(kills)}\n`);
  for (const kill of kills) assert.ok(isInTime(kill), JSON.stringify(kill));
});

const missing = missingTool();
if (missing)
  process.stdout.write(`SKIPPED test/firmware/gateway-kill.test.ts: ${missing} is not installed\n`);
else test.run();

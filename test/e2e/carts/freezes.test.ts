import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { hasSocat, openPtyPair, type PtyPair } from '../../helpers/pty.js';
import { randomFrom, rounds, testSeed } from '../../helpers/random.js';
import { SimulatorProcess } from '../../helpers/simulator-process.js';
import { until } from '../../helpers/until.js';
import {
  type DecodedPacket,
  decodeRoboclaw,
  decodeSabertooth,
} from '../../unit/carts/serial/board-decoders.js';

/** The gateway is suspended with SIGSTOP while an open-loop board drives the cart. */
const ROUNDS = rounds(6, 100);

const FULL_MMPS = 1000;
const SPEED_MMPS = 300;
const ACCEL_MMPS2 = 500;
const STEP_S = 0.05;
const TIMEOUT_S = 0.5;
const LEVEL_MMPS = FULL_MMPS / 127;

const BOARDS = {
  roboclaw: { baudRate: 38400, safety: {}, decode: decodeRoboclaw },
  sabertooth: {
    baudRate: 9600,
    safety: { allowNoWatchdog: true, acceptNoEstop: true },
    decode: decodeSabertooth,
  },
} as const;

type Board = keyof typeof BOARDS;

interface Fixture {
  board: Board;
  line: PtyPair;
  simulator: SimulatorProcess;
  gateway: GatewayProcess;
}

async function open(board: Board): Promise<Fixture> {
  const { baudRate, safety } = BOARDS[board];
  const line = await openPtyPair({ isRecorded: true });
  const simulator = new SimulatorProcess(line.far, board);
  await simulator.until(({ event }) => event === 'line.opened');
  const serial = { path: line.near, driver: board, baudRate };
  const kinematics = { openLoopMmpsAtFull: FULL_MMPS };
  const limits = { accelMmps2: ACCEL_MMPS2, decelMmps2: ACCEL_MMPS2, maxSpeedMmps: SPEED_MMPS };
  const gateway = await GatewayProcess.start({ serial, kinematics, limits, safety });
  return { board, line, simulator, gateway };
}

async function close({ line, simulator, gateway }: Fixture): Promise<void> {
  await gateway.close();
  await simulator.close();
  await line.close();
}

/** The forward speeds on the line, in order. The times at which they were sent do not matter. */
function speedsOf({ board, line }: Fixture): number[] {
  const packets = decodeComplete(line.sent, BOARDS[board].decode);
  return packets.flatMap(({ command, value = 0 }) =>
    command === 8 ? [value * LEVEL_MMPS] : command === 9 ? [-value * LEVEL_MMPS] : [],
  );
}

/** The last packet may be incomplete. The longest packet is 5 bytes long. */
function decodeComplete(
  bytes: readonly number[],
  decode: (bytes: readonly number[]) => DecodedPacket[],
): DecodedPacket[] {
  for (let missing = 0; ; missing++) {
    try {
      return decode(bytes.slice(0, bytes.length - missing));
    } catch (error) {
      if (missing === 4) throw error;
    }
  }
}

async function round(fixture: Fixture, random: () => number, about: string): Promise<void> {
  const { gateway, simulator } = fixture;
  await gateway.untilCart(1, ({ safety, moving }) => safety.mayMove && !moving);
  const from = speedsOf(fixture).length;
  await gateway.move(1, 5000, { maxSpeed: SPEED_MMPS }, '?wait=accept');
  // Half of the freezes begin in the first 600 ms, while the cart accelerates.
  await sleep(random() * (random() < 0.5 ? 600 : 1800));
  const freezeMs = 50 + random() * 550;
  process.kill(gateway.pid, 'SIGSTOP');
  // The board continues to drive, and the distance is checked from here on, so the position is read as early as
  // possible.
  const { x: before = 0 } = await simulator.snapshot();
  await sleep(freezeMs);
  process.kill(gateway.pid, 'SIGCONT');
  // After a long freeze, the gateway stops the cart by itself; after a short one, this command stops it.
  await gateway.call('POST', '/', { cartID: 1, distanceID: 0, angleID: 0 });
  await gateway.untilCart(1, ({ moving }) => !moving);
  await until(async () => (await simulator.snapshot()).speed === 0);
  const { x: after = 0 } = await simulator.snapshot();
  const speeds = speedsOf(fixture).slice(from);
  const detail = `${about}, suspended for ${Math.round(freezeMs)} ms: ${speeds.map(Math.round).join(' ')}`;
  assert.ok(Math.max(...speeds) <= SPEED_MMPS, detail);
  assert.ok(Math.min(...speeds) >= 0, detail);
  for (const [at, speed] of speeds.entries()) {
    const rise = speed - (speeds[at - 1] ?? 0);
    assert.ok(rise <= ACCEL_MMPS2 * STEP_S + LEVEL_MMPS, `${rise} mm/s in one step; ${detail}`);
  }
  // docs/protocol.md, section 16: both before and after the stop frame, the delay is at most the serial timeout.
  const boundMm = SPEED_MMPS * (2 * TIMEOUT_S + STEP_S) + SPEED_MMPS ** 2 / (2 * ACCEL_MMPS2);
  assert.ok(after - before <= boundMm, `${after - before} mm, at most ${boundMm} mm; ${detail}`);
}

const test = suite('suspended gateway');

for (const board of ['roboclaw', 'sabertooth'] as const) {
  if (!hasSocat) continue;
  // Fault case 55
  test(`suspending the gateway never makes a cart with a ${board} drive faster`, async () => {
    const random = randomFrom(testSeed());
    const fixture = await open(board);
    try {
      for (let at = 0; at < ROUNDS; at++) await round(fixture, random, `${board}, round ${at}`);
    } finally {
      await close(fixture);
    }
  });
}

test.run();

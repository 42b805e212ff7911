import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { serialOpener } from '../../src/adapters/serialport/serialport.js';
import { createDriver } from '../../src/carts/serial/drivers/create-driver.js';
import { ControllerLink } from '../../src/carts/serial/link.js';
import { defaultSettings } from '../../src/settings/schema/schema.js';
import { systemClock } from '../../src/shared/clock.js';
import { quietLog } from '../helpers/cart-harness.js';
import { rounds } from '../helpers/random.js';
import { repeatOnce } from '../helpers/repeat-once.js';
import { Bench, missingTool, type RunOptions } from './bench.js';
import { LiveBoard } from './live-board.js';

/** Number of runs for each board. */
const RUNS = rounds(2, 20);
const LIMIT_MS = 5000;

const SETUPS: readonly RunOptions[] = [
  { board: 'uno', bootLoader: 'optiboot' },
  { board: 'uno', bootLoader: 'oldNano' },
  { board: 'mega', bootLoader: 'mega' },
];

let bench: Bench;
test.before(() => {
  bench = new Bench(['uno', 'mega']);
});
test.after(() => bench.dispose());

interface Run {
  readyMs: number;
  wasReset: boolean;
  lagged: boolean;
}

/** Connects the gateway's link to a board that is reset when its port is opened. */
async function connect(setup: RunOptions, path: string): Promise<Run> {
  const board = await LiveBoard.start(bench, setup, path);
  const settings = structuredClone(defaultSettings());
  const opener = serialOpener({ path, baudRate: settings.serial.baudRate, log: quietLog });
  const link = new ControllerLink({
    opener: () => opener,
    createDriver,
    session: () => ({ ...settings, cartId: 1 }),
    clock: systemClock,
    log: quietLog,
  });
  const ready = new Promise<void>((resolve) => void link.onReady(() => resolve()));
  const start = performance.now();
  link.start();
  await ready;
  const readyMs = performance.now() - start;
  await link.close();
  await board.close();
  const { wasReset, events } = board;
  return { readyMs, wasReset, lagged: events.some(({ event }) => event === 'lag') };
}

for (const setup of SETUPS) {
  test(`a ${setup.board} with ${setup.bootLoader} that is reset when its port is opened is ready within 5 s`, async () => {
    const times: number[] = [];
    let connections = 0;
    for (let n = 0; n < RUNS; n++) {
      const run = await repeatOnce(
        () => connect(setup, join(bench.folder, `tty-${setup.bootLoader}-${connections++}`)),
        ({ lagged, readyMs }) => (lagged && readyMs > LIMIT_MS ? 'BOARD_LAG' : undefined),
      );
      assert.ok(run.wasReset);
      times.push(run.readyMs);
    }
    const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)];
    process.stdout.write(
      `  ${setup.bootLoader}: ${RUNS} times ready after ${first.toFixed(0)} to ${last.toFixed(0)} ms\n`,
    );
    assert.ok(last <= LIMIT_MS, `${last}`);
  });
}

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/ready.test.ts: ${missing} is not installed\n`);
else test.run();

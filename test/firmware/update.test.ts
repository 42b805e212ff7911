import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { formatHex, parseHex } from '../../src/carts/firmware/intel-hex.js';
import type { Board } from '../../src/shared/ports/serial.js';
import { Bench, LiveBoard, type RunOptions, wasEnabled } from './bench.js';
import { BenchScript } from './bench-script.js';
import { missingUpdateTool, releaseOf, UpdateGateway, updated } from './update-gateway.js';

/** The real avrdude writes to a simulated microcontroller that runs a real boot loader. */

const SETUPS: readonly { board: Board; options: RunOptions }[] = [
  { board: 'uno', options: { board: 'uno', bootLoader: 'optiboot' } },
  { board: 'nano-old', options: { board: 'uno', bootLoader: 'oldNano' } },
  { board: 'mega', options: { board: 'mega', bootLoader: 'mega' } },
];

let bench: Bench;
let root: string;
test.before(() => {
  bench = new Bench(['uno', 'mega']);
  root = releaseOf(bench);
});
test.after(() => bench.dispose());

for (const { board, options } of SETUPS) {
  test(`updates a ${options.board} with ${options.bootLoader}, and permits motion again`, async () => {
    const device = await LiveBoard.start(bench, options, `tty-${board}`);
    const gateway = new UpdateGateway(bench.subfolder(board), root, device.path);
    await gateway.report(({ link }) => link === 'READY');
    const { phase, reason, checks, blocksMotion } = await updated(gateway, device, board);
    const percents = gateway.reports.flatMap(({ percent }) => (percent === undefined ? [] : [percent]));
    await gateway.end('SIGTERM');
    await device.close();
    assert.equal(phase, 'done', reason);
    assert.equal(checks?.length, 6);
    assert.equal(blocksMotion, false);
    assert.ok(new Set(percents).size > 20, `${percents}`);
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b),
    );
    assert.equal(wasEnabled(device.events), false);
  });
}

test('refuses to write to a board with a different microcontroller, and leaves its firmware intact', async () => {
  const device = await LiveBoard.start(bench, { board: 'mega', bootLoader: 'mega' }, 'tty-other');
  const gateway = new UpdateGateway(bench.subfolder('other'), root, device.path);
  await gateway.report(({ link }) => link === 'READY');
  const { phase } = await gateway.update('uno');
  assert.equal(phase, 'failed');
  await gateway.report(({ link, blocksMotion }) => link === 'READY' && blocksMotion === false);
  await gateway.end('SIGTERM');
  await device.close();
});

test('keeps motor enable off while the first flash page is erased', async () => {
  const program = parseHex(readFileSync(bench.hex('uno'), 'utf8'));
  program.bytes.fill(0xff, 0, 128);
  assert.equal(program.bytes.subarray(128, 132).toString('hex'), 'f894ffcf');
  const file = join(bench.folder, 'erased.hex');
  writeFileSync(file, formatHex(program));
  const script = new BenchScript().wait(2000).ready(0).move().heartbeats(500).wait(1000);
  const events = await bench.run(script, { bootLoader: 'optiboot', hex: file });
  assert.equal(wasEnabled(events), false);
});

const missing = missingUpdateTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/update.test.ts: ${missing} is not installed\n`);
else test.run();

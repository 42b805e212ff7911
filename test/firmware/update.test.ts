import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import { formatHex, parseHex } from '../../src/carts/firmware/intel-hex.js';
import type { Board } from '../../src/shared/ports/serial.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, type BenchEvent, FULL, LiveBoard, missingTool, type RunOptions } from './bench.js';
import { BenchScript } from './bench-script.js';
import { type GatewayReport, UpdateGateway } from './update-gateway.js';

/** The real avrdude writes to a simulated microcontroller that runs a real boot loader. */

/** Number of interrupted updates on an Uno; UPDATE_CUTS overrides the default. */
const CUTS = Number(process.env.UPDATE_CUTS ?? (FULL ? 100 : 4));
/** An update of an Uno takes about 4.5 s. */
const UPDATE_MS = 4500;
const SETUPS: readonly { board: Board; options: RunOptions }[] = [
  { board: 'uno', options: { board: 'uno', bootLoader: 'optiboot' } },
  { board: 'nano-old', options: { board: 'uno', bootLoader: 'oldNano' } },
  { board: 'mega', options: { board: 'mega', bootLoader: 'mega' } },
];
const KINDS = ['avrdude killed', 'gateway killed', 'gateway stopped', 'power cut'] as const;

let bench: Bench;
let root: string;
test.before(() => {
  bench = new Bench(['uno', 'mega']);
  root = join(bench.folder, 'release');
  mkdirSync(join(root, 'firmware/build'), { recursive: true });
  for (const name of ['cgw1-uno.hex', 'cgw1-mega.hex', 'firmware.json'])
    cpSync(join(bench.folder, name), join(root, 'firmware/build', name));
});
test.after(() => bench.dispose());

function dataDirectory(name: string): string {
  const folder = join(bench.folder, name);
  mkdirSync(folder);
  return folder;
}

const wasEnabled = (events: readonly BenchEvent[]): boolean =>
  events.some((one) => (one.event === 'enable' && one.level === 1) || one.event === 'motor');

const updated = (gateway: UpdateGateway, device: LiveBoard, board: Board): Promise<GatewayReport> =>
  device.repeated(
    () => gateway.update(board),
    ({ phase }) => phase === 'done',
  );

for (const { board, options } of SETUPS) {
  test(`updates a ${options.board} with ${options.bootLoader}, and permits motion again`, async () => {
    const device = await LiveBoard.start(bench, options, `tty-${board}`);
    const gateway = new UpdateGateway(dataDirectory(board), root, device.path);
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
  const gateway = new UpdateGateway(dataDirectory('other'), root, device.path);
  await gateway.report(({ link }) => link === 'READY');
  const { phase } = await gateway.update('uno');
  assert.equal(phase, 'failed');
  await gateway.report(({ link, blocksMotion }) => link === 'READY' && blocksMotion === false);
  await gateway.end('SIGTERM');
  await device.close();
});

// Fault case 45
test(`recovers from each of ${CUTS} interrupted updates, with motor enable off throughout`, async () => {
  const random = new Random(7);
  const device = await LiveBoard.start(bench, { board: 'uno', bootLoader: 'optiboot' }, 'tty-cuts');
  const dataDir = dataDirectory('cuts');
  const start = () => new UpdateGateway(dataDir, root, device.path);
  let gateway = start();
  const counts: Record<string, number> = {};
  const enabled: boolean[] = [];
  for (let n = 0; n < CUTS; n++) {
    const kind = KINDS[n % KINDS.length] ?? 'power cut';
    const from = gateway.reports.length;
    gateway.send('update uno');
    await gateway.report(({ phase }) => phase === 'flashing', from);
    await delay(random.int(0, UPDATE_MS));
    const percent = gateway.last.percent ?? 0;
    const wasOver = gateway.last.phase !== 'flashing' && gateway.last.phase !== 'verifying';
    const key = wasOver ? 'after the last byte' : kind;
    counts[key] = (counts[key] ?? 0) + 1;
    if (kind === 'avrdude killed') {
      // The gateway may not have started avrdude yet.
      while (!gateway.killAvrdude() && gateway.last.phase === 'flashing') await delay(5);
      await gateway.report(({ phase }) => phase === 'failed' || phase === 'done', from);
    } else {
      await gateway.end(kind === 'gateway stopped' ? 'SIGTERM' : 'SIGKILL');
      if (kind === 'power cut') {
        gateway.killAvrdude();
        device.command('reset power-on');
      }
      enabled.push(...gateway.reports.flatMap(({ enable }) => (enable === undefined ? [] : [enable])));
      gateway = start();
      await gateway.report(({ phase }) => phase !== undefined);
    }
    const text = `cut ${n}: ${kind} at ${percent} %`;
    if (!wasOver) assert.equal(await gateway.refusal(), 'FIRMWARE_UPDATE', text);
    const { phase, reason, blocksMotion } = await updated(gateway, device, 'uno');
    assert.equal(phase, 'done', `${text}: ${reason}`);
    assert.equal(blocksMotion, false, text);
  }
  enabled.push(...gateway.reports.flatMap(({ enable }) => (enable === undefined ? [] : [enable])));
  await gateway.end('SIGTERM');
  await device.close();
  process.stdout.write(`  ${CUTS} of ${CUTS} recovered: ${JSON.stringify(counts)}\n`);
  assert.equal(wasEnabled(device.events), false);
  assert.equal(enabled.includes(true), false);
});

test('keeps motor enable off while the first flash page is erased, because the second one begins with a halt', async () => {
  const program = parseHex(readFileSync(bench.hex('uno'), 'utf8'));
  program.bytes.fill(0xff, 0, 128);
  assert.equal(program.bytes.subarray(128, 132).toString('hex'), 'f894ffcf');
  const file = join(bench.folder, 'erased.hex');
  writeFileSync(file, formatHex(program));
  const script = new BenchScript().wait(2000).ready(0).move().heartbeats(500).wait(1000);
  const events = await bench.run(script, { bootLoader: 'optiboot', hex: file });
  assert.equal(wasEnabled(events), false);
});

const missing = missingTool() ?? (spawnSync('avrdude', ['-?']).error === undefined ? undefined : 'avrdude');
if (missing) process.stdout.write(`SKIPPED test/firmware/update.test.ts: ${missing} is not installed\n`);
else test.run();

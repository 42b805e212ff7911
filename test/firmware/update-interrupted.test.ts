import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import { rounds } from '../helpers/random.js';
import { Random } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, LiveBoard, wasEnabled } from './bench.js';
import { missingUpdateTool, releaseOf, UpdateGateway, updated } from './update-gateway.js';

/** Number of interrupted updates on an Uno. */
const CUTS = rounds(4, 100);
/** An update of an Uno takes about 4.5 s. */
const UPDATE_MS = 4500;
const KINDS = ['avrdude killed', 'gateway killed', 'gateway stopped', 'power cut'] as const;

let bench: Bench;
let root: string;
test.before(() => {
  bench = new Bench();
  root = releaseOf(bench);
});
/**
 * Ends the processes that a failed assertion leaves running; otherwise, they would keep this process alive.
 */
const ends: (() => Promise<void>)[] = [];
test.after(async () => {
  for (const end of ends) await end();
  bench.dispose();
});

// Fault case 45
test(`recovers from each of ${CUTS} interrupted updates, with motor enable off throughout`, async () => {
  const random = new Random(7);
  const device = await LiveBoard.start(bench, { board: 'uno', bootLoader: 'optiboot' }, 'tty-cuts');
  const dataDir = bench.subfolder('data');
  ends.push(() => device.close());
  const start = () => {
    const started = new UpdateGateway(dataDir, root, device.path);
    ends.push(() => started.end('SIGKILL'));
    return started;
  };
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

const missing = missingUpdateTool();
if (missing)
  process.stdout.write(`SKIPPED test/firmware/update-interrupted.test.ts: ${missing} is not installed\n`);
else test.run();

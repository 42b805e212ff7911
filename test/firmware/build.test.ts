import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { packageRoot } from '../../src/shared/package-root.js';
import { wireOf } from '../unit/carts/serial/codec/codec-samples.js';
import { Bench, CART, missingTool } from './bench.js';
import { BenchScript } from './bench-script.js';
import type { BoardName } from './compile.js';

const FLASH_LIMIT_BYTES = 20 * 1024;
const RAM_LIMIT_BYTES = 700;
const BOARDS: readonly { board: BoardName; flashBytes: number; ramBytes: number }[] = [
  { board: 'uno', flashBytes: 32_256, ramBytes: 2048 },
  { board: 'mega', flashBytes: 253_952, ramBytes: 8192 },
];
const root = packageRoot();
const REVISION = '1234abcd';

let folder = '';
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmware-build-'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

function build(out: string, ...options: string[]): string {
  const args = ['--revision', REVISION, ...options, out];
  const { status, stderr } = spawnSync(join(root, 'firmware/build.sh'), args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return out;
}

/** Returns the sizes of the program's sections, in bytes. */
function sections(elf: string): Record<string, number> {
  const { stdout } = spawnSync('avr-size', ['-A', elf], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.split(/\s+/));
  return Object.fromEntries(
    rows.flatMap(([name = '', size]) => (/^\./.test(name) ? [[name, Number(size)]] : [])),
  );
}

test('builds identical files from the same sources in any folder', () => {
  const copy = join(folder, 'copy', 'cgw1');
  cpSync(join(root, 'firmware/cgw1'), copy, { recursive: true });
  const [one, other] = [build(join(folder, 'one')), build(join(folder, 'other'), '--sketch', copy)];
  for (const { board } of BOARDS) {
    const [left, right] = [one, other].map((out) => readFileSync(join(out, `cgw1-${board}.hex`), 'utf8'));
    assert.equal(left, right);
  }
});

test("the firmware fits into each board's memory", async () => {
  const bench = new Bench(BOARDS.map(({ board }) => board));
  for (const { board, flashBytes, ramBytes } of BOARDS) {
    const size = sections(join(bench.folder, `cgw1-${board}.elf`));
    const part = (name: string) => size[name] ?? 0;
    const flash = part('.text') + part('.data');
    const ram = part('.data') + part('.bss') + part('.noinit');
    const script = new BenchScript()
      .ready()
      .move()
      .heartbeats(2000)
      .estop(true)
      .wait(20)
      .estop(false)
      .pressReset();
    const events = await bench.run(script.move().wait(500).wait(2000).report(), { board });
    const stack = events.find((one) => one.event === 'board')?.stackBytes ?? Number.NaN;
    process.stdout.write(
      `  ${board}: flash ${flash} of ${flashBytes} bytes, RAM ${ram} of ${ramBytes} bytes, stack at most ${stack} bytes\n`,
    );
    assert.ok(flash <= FLASH_LIMIT_BYTES && ram <= RAM_LIMIT_BYTES);
    assert.ok(stack > 0 && ram + stack < ramBytes / 2, `${stack}`);
  }
  bench.dispose();
});

test('the firmware with encoders, distance sensors and bumpers fits into an Uno', async () => {
  const bench = new Bench(['uno'], { config: CART });
  const size = sections(join(bench.folder, 'cgw1-uno.elf'));
  const part = (name: string) => size[name] ?? 0;
  const flash = part('.text') + part('.data');
  const ram = part('.data') + part('.bss') + part('.noinit');
  const script = new BenchScript()
    .cart()
    .ready(300)
    .bytes(wireOf([0x11, 0x16, 1, 0x3c, 150, 0, 150, 0, 1]));
  script.move().heartbeats(1500).estop(true).wait(20).estop(false).pressReset();
  const events = await bench.run(script.move().heartbeats(500).command('bumper', 0, 1).wait(1000).report());
  const stack = events.find((one) => one.event === 'board')?.stackBytes ?? Number.NaN;
  process.stdout.write(
    `  uno with sensors: flash ${flash} bytes, RAM ${ram} bytes, stack at most ${stack} bytes\n`,
  );
  assert.ok(flash <= FLASH_LIMIT_BYTES && ram <= RAM_LIMIT_BYTES && stack > 0 && ram + stack < 1024 + 512);
  bench.dispose();
});

test('reports the revision of its sources in the response to BUILD', async () => {
  const bench = new Bench();
  build(bench.folder, '--board', 'uno');
  const events = await bench.run(
    new BenchScript()
      .ready()
      .bytes(wireOf([0x11, 0x03, 0x21, 0x3c]))
      .wait(20),
  );
  const expected = Buffer.from([0x12, 0x85, 0x21, 0x3c, 0xcd, 0xab, 0x34, 0x12]).toString('hex');
  const answers = events.flatMap((one) => (one.event === 'sent' ? [one.hex] : []));
  assert.ok(
    answers.some((hex) => hex.includes(expected)),
    answers.join('\n'),
  );
  bench.dispose();
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/build.test.ts: ${missing} is not installed\n`);
else test.run();

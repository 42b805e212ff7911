import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { VolatileDisk } from './volatile-disk.js';

const test = suite('simulated disk with a volatile cache');
const BYTES = 1 << 20;
const hasQemuIo = spawnSync('qemu-io', ['--version']).status === 0;

let dir: string;
let image: string;

test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'volatile-disk-'));
  image = join(dir, 'disk.img');
  writeFileSync(image, '');
  truncateSync(image, BYTES);
});

test.after.each(() => rmSync(dir, { recursive: true }));

/** Runs qemu-io commands on a disk, then cuts its power. Resolves with the output. */
async function use(
  commands: string[],
  options: { lies?: boolean; tornBySeed?: number } = {},
): Promise<string> {
  const socket = join(dir, 'nbd.sock');
  const disk = await VolatileDisk.open({ image, socket, ...options });
  // In writeback mode, qemu-io flushes only on request, not after each write.
  const args = ['-t', 'writeback', '-f', 'raw', ...commands.flatMap((command) => ['-c', command])];
  const child = spawn('qemu-io', [...args, `nbd:unix:${socket}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  await disk.cut(options.tornBySeed);
  return output;
}

const holds = async (pattern: number, at: string): Promise<boolean> =>
  !/Pattern verification failed/.test(await use([`read -P ${pattern} ${at}`]));

test('flushed writes survive a power cut, and unflushed writes are lost', async () => {
  const output = await use(['write -P 1 0 64k', 'flush', 'write -P 2 64k 64k', 'read -P 2 64k 64k', 'abort']);
  assert.doesNotMatch(output, /failed/);
  assert.equal(await holds(1, '0 64k'), true);
  assert.equal(await holds(0, '64k 64k'), true);
});

test('writes across block boundaries are read back unchanged', async () => {
  const output = await use([
    'write -P 3 0 12k',
    'write -P 4 3k 5k',
    'read -P 3 0 3k',
    'read -P 4 3k 5k',
    'read -P 3 8k 4k',
  ]);
  assert.doesNotMatch(output, /failed/);
  assert.equal(await holds(4, '3k 5k'), true);
});

test('a FUA write survives a power cut even if no flush follows it', async () => {
  await use(['write -f -P 5 0 4k', 'abort']);
  assert.equal(await holds(5, '0 4k'), true);
});

test('a disk that acknowledges flushes without performing them loses acknowledged writes in a power cut', async () => {
  await use(['write -P 6 0 4k', 'flush', 'abort'], { lies: true });
  assert.equal(await holds(0, '0 4k'), true);
});

test('a write torn by a power cut stores some of its sectors and loses the others', async () => {
  await use(['write -P 7 0 256k', 'abort'], { tornBySeed: 1 });
  assert.equal(await holds(7, '0 256k'), false);
  assert.equal(await holds(0, '0 256k'), false);
});

if (hasQemuIo) test.run();
else process.stdout.write('SKIPPED: a volatile disk (qemu-io is not installed)\n');

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { SerialPort } from 'serialport';
import { test } from 'uvu';
import { Deframer, encodeFrame, type Frame } from '../../src/carts/serial/codec/codec.js';
import { Bench, type BenchEvent, missingTool, parseEvent } from './bench.js';

const HELLO = {
  type: 'HELLO',
  protoMin: 1,
  protoMax: 1,
  heartbeatTimeoutMs: 500,
  hostNonce: 7,
  seq: 1,
  session: 9,
  ackReq: true,
  reply: false,
  retry: false,
} as const;
const ATTEMPTS = 200;

test('behaves like a board on a terminal: opening it resets the board, which then answers', async () => {
  const bench = new Bench();
  const link = join(bench.folder, 'tty');
  const args = [...bench.args({ bootLoader: 'optiboot' }), '--link', link, '--reset-on-open'];
  const board = spawn(bench.program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const events: BenchEvent[] = [];
  const lines = createInterface({ input: board.stdout });
  lines.on('line', (line) => events.push(parseEvent(line)));
  const exit = once(board, 'exit');
  await once(lines, 'line');
  while (!events.some((one) => one.event === 'ready')) await delay(10);

  const port = new SerialPort({ path: link, baudRate: 115_200 });
  const frames: Frame[] = [];
  const deframer = new Deframer((frame) => frames.push(frame));
  port.on('data', (bytes: Buffer) => deframer.push(bytes));
  await once(port, 'open');
  const answer = () => frames.find((frame) => frame.type === 'HELLO_R');
  for (let n = 0; n < ATTEMPTS && !answer(); n++) {
    port.write(Buffer.concat([Buffer.of(0), encodeFrame(HELLO)]));
    await delay(250);
  }
  port.close();
  await once(port, 'close');
  board.stdin.end();
  await exit;
  bench.dispose();
  assert.equal(answer()?.type, 'HELLO_R');
  const index = events.findIndex((one) => one.event === 'port' && one.open === 1);
  assert.ok(
    index >= 0 && events.slice(index).some((one) => one.event === 'reset' && one.cause === 'external'),
  );
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/live.test.ts: ${missing} is not installed\n`);
else test.run();

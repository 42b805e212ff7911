import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SerialPort } from 'serialport';
import { test } from 'uvu';
import { Deframer, encodeFrame, type Frame } from '../../src/carts/serial/codec/codec.js';
import { Bench, missingTool } from './bench.js';
import { LiveBoard } from './live-board.js';

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

test('behaves like a board on a serial port: opening the port resets the board, which then responds', async () => {
  const bench = new Bench();
  const link = join(bench.folder, 'tty');
  const board = await LiveBoard.start(bench, { bootLoader: 'optiboot' }, link);

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
  await board.close();
  bench.dispose();
  assert.equal(answer()?.type, 'HELLO_R');
  const { events } = board;
  const index = events.findIndex((one) => one.event === 'port' && one.open === 1);
  assert.ok(
    index >= 0 && events.slice(index).some((one) => one.event === 'reset' && one.cause === 'external'),
  );
});

const missing = missingTool();
if (missing) process.stdout.write(`SKIPPED test/firmware/live.test.ts: ${missing} is not installed\n`);
else test.run();
